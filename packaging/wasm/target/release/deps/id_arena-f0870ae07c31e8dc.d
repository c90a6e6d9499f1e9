/work/wt/refuse/packaging/wasm/target/release/deps/id_arena-f0870ae07c31e8dc.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/rayon.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libid_arena-f0870ae07c31e8dc.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/rayon.rs

/work/wt/refuse/packaging/wasm/target/release/deps/libid_arena-f0870ae07c31e8dc.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/rayon.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/lib.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/id-arena-2.3.0/src/rayon.rs:
