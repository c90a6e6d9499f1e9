//! What is offered for any text can be done to it.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::actions(data));
