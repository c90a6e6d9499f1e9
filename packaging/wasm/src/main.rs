//! Makes what a browser loads of what Cargo builds for `wasm32-unknown-unknown`: the module, and the JavaScript around it.
//!
//!     bind RELAX_LSP.wasm FOLDER

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let [module, folder] = &arguments[..] else {
        anyhow::bail!("bind RELAX_LSP.wasm FOLDER");
    };
    Bindgen::new()
        .input_path(module)
        .out_name("server")
        .web(true)?
        .omit_default_module_path(true)
        .typescript(true)
        .generate(folder)
        .with_context(|| format!("{module} is not understood"))
}
