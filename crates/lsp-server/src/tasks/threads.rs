//! Threads of tokio, and one thread for each part that waits for nothing else.

use std::time::Duration;

use tokio::runtime::Handle;

use crate::memory::STACK;

/// Runs beside all else.
pub fn spawn(future: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(future);
}

/// Does a job that takes long, off the threads of futures.
pub fn spawn_blocking(job: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(job);
}

/// Runs a future on a thread of its own.
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
