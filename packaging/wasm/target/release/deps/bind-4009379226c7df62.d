/work/wt/refuse/packaging/wasm/target/release/deps/bind-4009379226c7df62.d: src/main.rs

/work/wt/refuse/packaging/wasm/target/release/deps/bind-4009379226c7df62: src/main.rs

src/main.rs:
