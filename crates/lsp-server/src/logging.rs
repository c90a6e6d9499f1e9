//! Logging to standard error: `RELAX_LSP_LOG=debug relax-lsp`. Standard output is reserved for answers.

use tracing_subscriber::EnvFilter;

pub fn start() {
    let filter = EnvFilter::try_from_env("RELAX_LSP_LOG")
        .unwrap_or_else(|_| EnvFilter::new("off,relax_lsp=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
}
