/work/wt/refuse/packaging/wasm/target/release/bind: /work/wt/refuse/packaging/wasm/src/main.rs
