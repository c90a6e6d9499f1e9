//! Native code of any PrimFunc does what the exact interpreter says it means.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::prims(data));
