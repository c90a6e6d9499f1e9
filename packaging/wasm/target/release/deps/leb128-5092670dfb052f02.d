/work/wt/refuse/packaging/wasm/target/release/deps/leb128-5092670dfb052f02.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128-0.2.7/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libleb128-5092670dfb052f02.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128-0.2.7/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libleb128-5092670dfb052f02.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128-0.2.7/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128-0.2.7/src/lib.rs:
