//! The server as a WebAssembly module: the functions that the script around it calls. One instance serves a page;
//! others execute worker tasks.
#![allow(unsafe_code, reason = "`wasm_bindgen` writes it")]

use std::io;

use js_sys::{Array, Function, Uint8Array};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use wasm_bindgen_futures::spawn_local;

use crate::connection::{Frame, MessageReader, MessageWriter};
use crate::run::saved_values::memory;
use crate::run::{job::Task, worker};
use crate::server;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// A connection between a client and its server.
#[wasm_bindgen]
pub struct Connection {
    incoming: UnboundedSender<Frame>,
}

#[wasm_bindgen]
impl Connection {
    /// Serves a client. `send` is called with each message to it.
    #[wasm_bindgen(constructor)]
    pub fn new(send: Function) -> Connection {
        report_panics();
        let (incoming, messages) = unbounded_channel();
        let (outgoing, bodies) = unbounded_channel();
        spawn_local(deliver(bodies, send));
        spawn_local(async {
            let gone = CancellationToken::new();
            server::serve(PageReader(messages), PageWriter(outgoing), None, gone).await;
        });
        Connection { incoming }
    }

    /// Receives a message from the client.
    pub fn receive(&self, message: String) {
        // Sending fails only after the client has asked the server to end.
        let _ = self.incoming.send(Frame::Body(message.into_bytes()));
    }
}

/// Executes a worker task, and returns its answer.
#[wasm_bindgen]
pub fn work(task: &str) -> Result<String, JsError> {
    report_panics();
    let task: Task = serde_json::from_str(task)?;
    Ok(worker::answer(&task, None)?)
}

/// Returns the values that a task kept, as pairs of a path and bytes.
#[wasm_bindgen]
pub fn take_saved_values() -> Array {
    let values = memory::take().into_iter();
    let pair = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
        let path = JsValue::from_str(&path.to_string_lossy());
        Array::of2(&path, &Uint8Array::from(&bytes[..]))
    };
    values.map(pair).collect()
}

/// Stores a value of a worker.
#[wasm_bindgen]
pub fn keep(path: String, bytes: Vec<u8>) {
    memory::put(path.into(), bytes);
}

/// Logs panics to the console, since a panic ends the instance.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}

async fn deliver(mut bodies: UnboundedReceiver<Vec<u8>>, send: Function) {
    while let Some(body) = bodies.recv().await {
        let text = String::from_utf8_lossy(&body);
        if send
            .call1(&JsValue::NULL, &JsValue::from_str(&text))
            .is_err()
        {
            return;
        }
    }
}

struct PageReader(UnboundedReceiver<Frame>);

struct PageWriter(UnboundedSender<Vec<u8>>);

impl MessageReader for PageReader {
    async fn next(&mut self) -> io::Result<Frame> {
        Ok(self.0.recv().await.unwrap_or(Frame::End))
    }
}

impl MessageWriter for PageWriter {
    async fn write(&mut self, bodies: Vec<Vec<u8>>) -> io::Result<()> {
        for body in bodies {
            self.0.send(body).map_err(io::Error::other)?;
        }
        Ok(())
    }
}
