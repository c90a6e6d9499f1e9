//! Tokio's threads, and a separate thread for each independent part.

use std::time::Duration;

use tokio::runtime::Handle;

use crate::memory::STACK;

/// Runs a future concurrently.
pub fn spawn(future: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(future);
}

/// Runs a long job on a thread that is not used for futures.
pub fn spawn_blocking(job: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(job);
}

/// Runs a future on its own thread.
pub fn spawn_thread(name: &str, future: impl Future<Output = ()> + Send + 'static) {
    let runtime = Handle::current();
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK);
    thread
        .spawn(move || runtime.block_on(future))
        .expect("a process that starts can have a second thread");
}

pub async fn sleep(duration: Duration) {
    tokio::time::sleep(duration).await;
}
