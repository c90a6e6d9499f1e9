//! Every PrimFunc is a program for the vm, or the reasons why it is none.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tests::fuzz::tir(data));
