//! Whatever parses has facts and diagnostics.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::analyse(data));
