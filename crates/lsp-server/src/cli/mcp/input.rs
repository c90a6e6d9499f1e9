//! Standard input, which ends the calls that are under way soon after it ends.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf, Stdin};
use tokio_util::sync::CancellationToken;

/// The time that calls have for their answers after the end of the input.
const GRACE: Duration = Duration::from_secs(1);

pub struct Input {
    pub stdin: Stdin,
    /// Cancelled when the calls have to end.
    pub over: CancellationToken,
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.stdin).poll_read(context, buffer));
        if read.is_err() || buffer.filled().len() == before {
            let over = self.over.clone();
            tokio::spawn(async move {
                tokio::time::sleep(GRACE).await;
                over.cancel();
            });
        }
        Poll::Ready(read)
    }
}
