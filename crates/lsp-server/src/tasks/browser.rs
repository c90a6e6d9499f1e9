//! The only thread of a module in a browser. A job runs immediately: if it waited, its snapshot would block an edit,
//! and the edit would block the job.
#![allow(unsafe_code, reason = "`wasm_bindgen` writes it")]

use std::time::Duration;

use js_sys::{Function, Promise};
use tokio::sync::oneshot;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, milliseconds: f64);
}

/// Browsers treat a longer delay as none.
const LONGEST: f64 = i32::MAX as f64;

/// Runs one job after the other.
#[expect(clippy::unnecessary_wraps, reason = "threads may not be had")]
pub fn join<A, B>(one: impl FnOnce() -> A, other: impl FnOnce() -> B) -> anyhow::Result<(A, B)> {
    Ok((one(), other()))
}

/// Calls `work` with all items, and `take` with each of its results. `work` is told by `false` that `take` has failed.
pub fn in_parts<I, T>(
    items: &[I],
    work: impl Fn(&[I], &mut dyn FnMut(T) -> bool),
    mut take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut taken = Ok(());
    work(items, &mut |result| {
        if taken.is_ok() {
            taken = take(result);
        }
        taken.is_ok()
    });
    taken
}

/// Runs a future when the browser has time.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    spawn_local(future);
}

pub fn spawn_blocking(job: impl FnOnce()) {
    job();
}

pub fn spawn_thread(_name: &str, future: impl Future<Output = ()> + 'static) {
    spawn_local(future);
}

pub async fn sleep(duration: Duration) {
    let milliseconds = (duration.as_secs_f64() * 1e3).min(LONGEST);
    let (over, waiting) = oneshot::channel::<()>();
    // Values of the browser must stay on its thread, but the caller's future may move between threads.
    spawn_local(async move {
        let promise = Promise::new(&mut |resolve, _| set_timeout(&resolve, milliseconds));
        let _ = JsFuture::from(promise).await;
        let _ = over.send(());
    });
    let _ = waiting.await;
}
