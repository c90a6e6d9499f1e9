/work/wt/refuse/packaging/wasm/target/release/deps/fallible_iterator-aaf0feeb09630f93.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libfallible_iterator-aaf0feeb09630f93.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libfallible_iterator-aaf0feeb09630f93.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs:
