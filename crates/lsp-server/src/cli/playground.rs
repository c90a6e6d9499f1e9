//! `relax-lsp playground`: serves a page for trying programs in a browser on this machine.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::output;
use crate::memory::STACK;
use crate::playground::Page;

/// The time in which the sessions of open pages may remove their files.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Playground {
    /// A link from the page's "Share" button, whose program is opened
    link: Option<String>,
    /// The port to serve on; by default a free one
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Only print the address, without opening a browser
    #[arg(long)]
    no_open: bool,
}

pub fn execute(command: &Playground) -> anyhow::Result<ExitCode> {
    let shared = command.link.as_deref().map(program).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK)
        .build()?;
    runtime.block_on(async {
        let page = Page::bind(command.port)
            .await
            .with_context(|| format!("port {} is not available", command.port))?;
        let address = format!("{}{}", page.address(), shared.unwrap_or_default());
        output::print_text(format!("The playground is at {address}\nCtrl-C ends it.\n"))?;
        if !command.no_open
            && let Err(error) = open::that_detached(&address)
        {
            tracing::debug!(%error, "no browser");
            output::print_text("No browser could be started: open the address yourself.\n")?;
        }
        tokio::select! {
            ended = page.serve() => ended?,
            _ = tokio::signal::ctrl_c() => {}
        }
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(GRACE);
    Ok(ExitCode::SUCCESS)
}

/// Returns the part of a share link that contains the program.
fn program(link: &str) -> anyhow::Result<&str> {
    let at = link.find("#program=");
    let at = at.context("this is not a share link: `#program=` is missing")?;
    Ok(&link[at..])
}
