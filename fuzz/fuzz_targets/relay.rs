//! Any text of Relay is edited, analysed and formatted without a fault.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::relay(data));
