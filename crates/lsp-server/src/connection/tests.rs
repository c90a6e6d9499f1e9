//! What is read from a client that does not read.

use std::convert::Infallible;
use std::future::{Ready, pending, ready};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures::future::Either;
use futures::{sink, stream};

use super::*;
use crate::outbox::Outbox;

/// Sends requests without end, and counts them.
struct Requests(Arc<AtomicUsize>);

impl MessageReader for Requests {
    async fn next(&mut self) -> io::Result<Frame> {
        // Other tasks go on between two messages, as with a pipe.
        tasks::sleep(Duration::ZERO).await;
        let id = self.0.fetch_add(1, Ordering::Relaxed);
        let request = json!({"jsonrpc": "2.0", "id": id, "method": Initialize::METHOD});
        Ok(Frame::Body(request.to_string().into_bytes()))
    }
}

/// Is never read, or is closed.
enum ClientEnd {
    Full,
    Closed,
}

impl MessageWriter for ClientEnd {
    async fn write(&mut self, _: Vec<Vec<u8>>) -> io::Result<()> {
        match self {
            ClientEnd::Full => pending().await,
            ClientEnd::Closed => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Answers each request with so many bytes, or never.
struct Answers(Option<usize>);

type Answer = Result<Option<Vec<u8>>, Infallible>;

impl Service<Value> for Answers {
    type Response = Option<Vec<u8>>;
    type Error = Infallible;
    type Future = Either<Ready<Answer>, std::future::Pending<Answer>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Value) -> Self::Future {
        match self.0 {
            Some(bytes) => Either::Left(ready(Ok(Some(vec![b' '; bytes])))),
            None => Either::Right(pending()),
        }
    }
}

/// Serves until nothing happens any more. Returns the number of requests that were read, and whether serving ended.
async fn served(answers: Answers, output: ClientEnd) -> (usize, bool) {
    let (outbox, _asked) = Outbox::new();
    let read = Arc::<AtomicUsize>::default();
    let loopback = Loopback {
        requests: stream::pending::<Value>(),
        replies: sink::drain::<Value>(),
    };
    let transport = Transport {
        input: Requests(read.clone()),
        output,
        gone: CancellationToken::new(),
    };
    let reports = ClientReports {
        trace: Arc::default(),
        progress: Arc::new(RequestProgress::new(outbox, |_| None)),
    };
    let messages = Messages::new();
    let serving = drive(answers, loopback, transport, messages, reports, || ());
    // The clock is paused, so that this time passes once every task waits.
    let ended = tasks::timeout(Duration::from_hours(1), serving).await;
    (read.load(Ordering::Relaxed), ended.is_some())
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_its_answers_is_not_read() {
    let (read, ended) = served(Answers(Some(1 << 20)), ClientEnd::Full).await;
    assert_eq!((read, ended), (queue::MOST_BYTES >> 20, false));
}

#[tokio::test(start_paused = true)]
async fn unanswered_requests_are_limited_too() {
    let (read, ended) = served(Answers(None), ClientEnd::Full).await;
    assert_eq!((read, ended), (MOST_REQUESTS, false));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_be_answered_has_gone() {
    assert!(served(Answers(Some(1)), ClientEnd::Closed).await.1);
}
