//! The messages that wait to be written. They are counted, since a client may read slowly or not at all: then no more
//! is read from it, and the queue stays as long as it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::sync::mpsc::{
    UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel,
};

/// With so many bytes in the queue, the client must read before it is heard again.
pub const MOST_BYTES: usize = 64 << 20;

/// The bytes that are queued or being written.
#[derive(Default)]
struct Size {
    bytes: AtomicUsize,
    shrunk: Notify,
}

#[derive(Clone)]
pub struct QueueSender {
    messages: UnboundedSender<Vec<u8>>,
    size: Arc<Size>,
}

/// A sender that does not keep the queue open.
#[derive(Clone)]
pub struct WeakQueueSender {
    messages: WeakUnboundedSender<Vec<u8>>,
    size: Arc<Size>,
}

pub struct QueueReceiver {
    messages: UnboundedReceiver<Vec<u8>>,
    size: Arc<Size>,
}

pub fn queue() -> (QueueSender, QueueReceiver) {
    let (sender, receiver) = unbounded_channel();
    let size = Arc::<Size>::default();
    let sender = QueueSender {
        messages: sender,
        size: size.clone(),
    };
    let receiver = QueueReceiver {
        messages: receiver,
        size,
    };
    (sender, receiver)
}

impl QueueSender {
    pub fn send(&self, body: Vec<u8>) {
        let bytes = body.len();
        self.size.bytes.fetch_add(bytes, Ordering::Relaxed);
        // Without a receiver, the client has gone.
        let _ = self.messages.send(body);
    }

    pub fn downgrade(&self) -> WeakQueueSender {
        WeakQueueSender {
            messages: self.messages.downgrade(),
            size: self.size.clone(),
        }
    }

    /// Waits until the queue is short.
    pub async fn has_room(&self) {
        loop {
            let shrunk = self.size.shrunk.notified();
            if self.size.bytes.load(Ordering::Relaxed) < MOST_BYTES {
                return;
            }
            shrunk.await;
        }
    }
}

impl WeakQueueSender {
    pub fn upgrade(&self) -> Option<QueueSender> {
        Some(QueueSender {
            messages: self.messages.upgrade()?,
            size: self.size.clone(),
        })
    }
}

impl QueueReceiver {
    /// Returns all messages that wait, at least one, or `None` after the last one.
    pub async fn take(&mut self) -> Option<Vec<Vec<u8>>> {
        let mut bodies = vec![self.messages.recv().await?];
        while let Ok(body) = self.messages.try_recv() {
            bodies.push(body);
        }
        Some(bodies)
    }

    /// Takes so many bytes out of the count, once they are written.
    pub fn written(&self, bytes: usize) {
        self.size.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.size.shrunk.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt, pin_mut};

    use super::*;

    #[tokio::test]
    async fn a_long_queue_has_room_once_it_is_written() {
        let (sender, mut receiver) = queue();
        sender.send(vec![0; MOST_BYTES - 1]);
        sender.has_room().await;
        sender.send(vec![0; 10]);
        let room = sender.has_room();
        pin_mut!(room);
        assert_eq!(room.as_mut().now_or_never(), None);
        assert_eq!(receiver.take().await.map(|it| it.len()), Some(2));
        // Being written is not yet written.
        assert_eq!(room.as_mut().now_or_never(), None);
        receiver.written(MOST_BYTES + 9);
        room.await;
    }

    #[tokio::test]
    async fn a_weak_sender_does_not_keep_the_queue_open() {
        let (sender, mut receiver) = queue();
        let weak = sender.downgrade();
        drop(sender);
        assert!(weak.upgrade().is_none() && receiver.take().await.is_none());
    }
}
