/work/wt/refuse/packaging/wasm/target/release/deps/rustc_demangle-a0e2399ab55067bf.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/legacy.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/v0.rs

/work/wt/refuse/packaging/wasm/target/release/deps/librustc_demangle-a0e2399ab55067bf.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/legacy.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/v0.rs

/work/wt/refuse/packaging/wasm/target/release/deps/librustc_demangle-a0e2399ab55067bf.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/legacy.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/v0.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/lib.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/legacy.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/rustc-demangle-0.1.28/src/v0.rs:
