//! The one thread of a module in a browser. A job is done at once: a snapshot of a job that waited would keep an edit
//! waiting, and with it the job.
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

/// Browsers take a longer time for none.
const LONGEST: f64 = i32::MAX as f64;

/// Runs when the browser has time.
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
    // What is the browser's stays on its thread, as types have it; the future may be one of those that change threads.
    spawn_local(async move {
        let promise = Promise::new(&mut |resolve, _| set_timeout(&resolve, milliseconds));
        let _ = JsFuture::from(promise).await;
        let _ = over.send(());
    });
    let _ = waiting.await;
}
