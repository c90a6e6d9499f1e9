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
