/work/wt/refuse/packaging/wasm/target/release/deps/walrus_macro-804ed774e6d18070.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/walrus-macro-0.26.0/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libwalrus_macro-804ed774e6d18070.so: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/walrus-macro-0.26.0/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/walrus-macro-0.26.0/src/lib.rs:
