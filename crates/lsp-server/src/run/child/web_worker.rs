//! A worker as another instance of this module, on a thread of the browser. The script around the module starts it,
//! and copies the values that it kept to this instance's memory.
#![allow(unsafe_code, reason = "`wasm_bindgen` writes it")]

use std::io;

use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;

use super::WorkerResult;

#[wasm_bindgen]
extern "C" {
    /// A class of the script around the module.
    #[wasm_bindgen(js_name = ProgramWorker)]
    type Instance;

    #[wasm_bindgen(constructor, js_class = "ProgramWorker")]
    fn new() -> Instance;

    /// Returns the answer, or an error that says how the worker ended.
    #[wasm_bindgen(method, catch)]
    async fn work(this: &Instance, task: String) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn end(this: &Instance);
}

/// A worker, which is ended when this is dropped. Types of the browser stay in a local task, since they cannot move to
/// other threads.
pub struct Worker {
    task: Option<oneshot::Sender<String>>,
    ended: Option<oneshot::Receiver<WorkerResult>>,
    _end: DropGuard,
}

impl Worker {
    /// A page runs one program at a time.
    #[expect(clippy::unused_async, reason = "a process may have to wait")]
    pub async fn slot(_cancelled: &CancellationToken) -> Option<impl Sized> {
        Some(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "a process may not start")]
    pub fn start() -> io::Result<Worker> {
        let (task, given) = oneshot::channel();
        let (answer, ended) = oneshot::channel();
        let over = CancellationToken::new();
        let end = over.clone().drop_guard();
        spawn_local(async move {
            let Ok(task) = given.await else { return };
            let instance = Instance::new();
            tokio::select! {
                result = instance.work(task) => drop(answer.send(of(result))),
                () = over.cancelled() => {}
            }
            instance.end();
        });
        Ok(Worker {
            task: Some(task),
            ended: Some(ended),
            _end: end,
        })
    }

    /// Sends a task, and waits until the worker ends.
    pub(super) async fn converse(&mut self, task: Vec<u8>) -> Result<WorkerResult, String> {
        let (Some(to), Some(ended)) = (self.task.take(), self.ended.take()) else {
            return Err("it has a task already".to_owned());
        };
        let task = String::from_utf8(task).map_err(|error| error.to_string())?;
        let _ = to.send(task);
        ended.await.map_err(|_| "it was ended".to_owned())
    }

    /// Returns `true` if the worker can take another task. Such a worker takes only one.
    #[expect(clippy::unused_self, reason = "a process may take more")]
    pub fn is_alive(&mut self) -> bool {
        false
    }

    #[expect(clippy::unused_async, reason = "the end of a process is waited for")]
    pub async fn end(&mut self) {}
}

fn of(result: Result<JsValue, JsValue>) -> WorkerResult {
    let text = |value: &JsValue| value.as_string().unwrap_or_default();
    let (answer, complaints) = match &result {
        Ok(answer) => (text(answer), String::new()),
        Err(why) => (String::new(), text(why)),
    };
    WorkerResult {
        answer: answer.into_bytes(),
        complaints,
        status: "in the browser".to_owned(),
    }
}
