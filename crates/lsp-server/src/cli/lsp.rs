//! `relax-lsp lsp`: the server on standard input and output.

use std::pin::Pin;
use std::process::ExitCode;
use std::task::{Context, Poll};
use std::time::Duration;

use clap::Args;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::server::{self, Ended};

#[derive(Args, Default)]
pub struct Lsp {
    /// Accepted because editors pass it: the server always speaks over standard input and output
    #[arg(long)]
    stdio: bool,
    /// Accepted because editors pass it: the server ends when its standard input does
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client_process_id: Option<u32>,
}

/// How long requests that were under way may take after the client has gone.
const GRACE: Duration = Duration::from_secs(2);

pub fn execute() -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let ended = runtime.block_on(async {
        let vanished = CancellationToken::new();
        let input = Watched {
            input: tokio::io::stdin(),
            ended: vanished.clone(),
        };
        let late = async {
            vanished.cancelled().await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            ended = server::serve(input, tokio::io::stdout(), vanished.clone()) => ended,
            () = late => Ended::Abruptly,
        }
    });
    // Standard input may still be open, with a thread waiting on it that would keep the runtime.
    runtime.shutdown_background();
    Ok(match ended {
        Ended::AfterShutdown => ExitCode::SUCCESS,
        Ended::Abruptly => ExitCode::FAILURE,
    })
}

/// Input that says when it has ended.
struct Watched<I> {
    input: I,
    ended: CancellationToken,
}

impl<I: AsyncRead + Unpin> AsyncRead for Watched<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        let ended = match &polled {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.ended.cancel();
        }
        polled
    }
}
