//! After any edits, reparsing gives what parsing afresh gives.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::edits(data));
