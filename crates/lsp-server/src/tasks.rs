//! Runs work on tokio's threads, or on the only thread of a browser.

#[cfg(target_family = "wasm")]
mod browser;
#[cfg(not(target_family = "wasm"))]
mod threads;

use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use tokio::sync::oneshot;

#[cfg(target_family = "wasm")]
pub use browser::{in_parts, join, sleep, spawn, spawn_blocking, spawn_thread};
#[cfg(not(target_family = "wasm"))]
pub use threads::{in_parts, join, sleep, spawn, spawn_blocking, spawn_thread};

/// Runs a long job, and returns its result, or `None` if it fails.
pub async fn blocking<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, result) = oneshot::channel();
    spawn_blocking(move || drop(sender.send(job())));
    result.await.ok()
}

/// Returns the result of a future, or `None` if it takes longer than `limit`.
pub async fn timeout<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    match select(pin!(future), pin!(sleep(limit))).await {
        Either::Left((value, _)) => Some(value),
        Either::Right(_) => None,
    }
}
