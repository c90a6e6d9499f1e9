//! Every program runs to a value within its limits, or has a reason why not.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::run(data));
