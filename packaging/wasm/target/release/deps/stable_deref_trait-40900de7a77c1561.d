/work/wt/refuse/packaging/wasm/target/release/deps/stable_deref_trait-40900de7a77c1561.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/stable_deref_trait-1.2.1/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libstable_deref_trait-40900de7a77c1561.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/stable_deref_trait-1.2.1/src/lib.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libstable_deref_trait-40900de7a77c1561.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/stable_deref_trait-1.2.1/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/stable_deref_trait-1.2.1/src/lib.rs:
