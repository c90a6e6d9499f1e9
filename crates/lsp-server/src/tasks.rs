//! Where work is done: on tokio's threads, or, in a browser, on the one thread that there is.

#[cfg(target_family = "wasm")]
mod browser;
#[cfg(not(target_family = "wasm"))]
mod threads;

use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use tokio::sync::oneshot;

#[cfg(target_family = "wasm")]
pub use browser::{sleep, spawn, spawn_blocking, spawn_thread};
#[cfg(not(target_family = "wasm"))]
pub use threads::{sleep, spawn, spawn_blocking, spawn_thread};

/// What a job gives that takes long; `None` if it fails.
pub async fn blocking<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, result) = oneshot::channel();
    spawn_blocking(move || drop(sender.send(job())));
    result.await.ok()
}

/// What a future gives, unless it takes longer.
pub async fn timeout<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), pin!(sleep(limit))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}
