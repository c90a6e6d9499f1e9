//! Any bytes parse, into a tree whose text they are.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::parse(data));
