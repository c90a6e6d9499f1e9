/work/wt/refuse/packaging/wasm/target/release/deps/leb128fmt-975aca11c2a78fd5.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128fmt-0.1.0/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libleb128fmt-975aca11c2a78fd5.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128fmt-0.1.0/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libleb128fmt-975aca11c2a78fd5.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128fmt-0.1.0/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/leb128fmt-0.1.0/src/lib.rs:
