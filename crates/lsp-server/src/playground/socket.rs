//! The server over a WebSocket: each text message is one protocol message.

use std::io;

use axum::extract::ws::{Message, WebSocket};
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use tokio_util::sync::CancellationToken;

use crate::connection::{Frame, MessageReader, MessageWriter};
use crate::server;

/// Serves until the page is closed.
pub async fn serve(socket: WebSocket) {
    let (output, input) = socket.split();
    server::serve(
        Reader(input),
        Writer(output),
        None,
        CancellationToken::new(),
    )
    .await;
}

struct Reader(SplitStream<WebSocket>);

struct Writer(SplitSink<WebSocket, Message>);

impl MessageReader for Reader {
    async fn next(&mut self) -> io::Result<Frame> {
        loop {
            return match self.0.next().await.transpose().map_err(io::Error::other)? {
                Some(Message::Text(text)) => Ok(Frame::Body(text.as_str().into())),
                Some(Message::Binary(_)) => Ok(Frame::Malformed("a message of bytes".to_owned())),
                Some(Message::Ping(_) | Message::Pong(_)) => continue,
                Some(Message::Close(_)) | None => Ok(Frame::End),
            };
        }
    }
}

impl MessageWriter for Writer {
    async fn write(&mut self, bodies: Vec<Vec<u8>>) -> io::Result<()> {
        for body in bodies {
            let text = String::from_utf8(body).map_err(io::Error::other)?;
            let sent = self.0.feed(Message::Text(text.into())).await;
            sent.map_err(io::Error::other)?;
        }
        self.0.flush().await.map_err(io::Error::other)
    }
}
