//! Returns free memory to the system after a pause in editing, and after many edits without one. Closing a long document
//! counts as many edits.
//!
//! Each edit of a long file frees the data of the previous version, scattered over the heap. Further edits reuse this
//! memory in part: the heap grows while someone types, and the allocator would keep it.

use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;

use crate::tasks;

/// The pause without events after which memory is returned.
const PAUSE: Duration = Duration::from_secs(2);

/// The number of edits after which memory is returned without a pause. It takes milliseconds, so it must be rare.
const MANY_EDITS: u32 = 1024;

/// So many bytes of a closed document count as an edit.
const BYTES_PER_EDIT: usize = 256;

#[derive(Debug, Default)]
pub struct Idle {
    /// The number of edits since memory was returned.
    edits: u32,
}

impl Idle {
    /// Notes an edit, which may have freed memory.
    pub fn edited(&mut self) {
        self.edits += 1;
    }

    /// Notes that a document of so many bytes is closed. Returns `true` if its memory should be returned once it is
    /// free: that takes time in proportion to all memory, so short documents share it.
    pub fn closed(&mut self, bytes: usize) -> bool {
        let edits = 1 + u32::try_from(bytes / BYTES_PER_EDIT).unwrap_or(MANY_EDITS);
        self.edits = self.edits.saturating_add(edits);
        let is_due = self.edits >= MANY_EDITS;
        if is_due {
            self.edits = 0;
        }
        is_due
    }

    /// Waits for the next event. After an edit and a pause without events, and after many edits, calls `give_back`
    /// once.
    pub async fn next<T>(
        &mut self,
        events: &mut UnboundedReceiver<T>,
        give_back: impl FnOnce(),
    ) -> Option<T> {
        if self.edits > 0 {
            if self.edits < MANY_EDITS
                && let Some(event) = tasks::timeout(PAUSE, events.recv()).await
            {
                return event;
            }
            self.edits = 0;
            give_back();
        }
        events.recv().await
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::sync::mpsc::unbounded_channel;
    use tokio::time::sleep;

    use super::*;

    /// How often memory is given back before each event, where the next one comes after so many milliseconds.
    async fn given_back(waits: &[(bool, u64)]) -> Vec<u32> {
        let (sender, mut events) = unbounded_channel();
        let (mut idle, count) = (Idle::default(), Cell::new(0));
        let mut counts = Vec::new();
        for &(edited, wait) in waits {
            if edited {
                idle.edited();
            }
            let sender = sender.clone();
            tokio::spawn(async move {
                sleep(Duration::from_millis(wait)).await;
                let _ = sender.send(());
            });
            let next = idle.next(&mut events, || count.set(count.get() + 1));
            assert_eq!(next.await, Some(()));
            counts.push(count.replace(0));
        }
        counts
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_released_once_after_the_last_edit() {
        let waits = [(true, 50), (true, 50), (false, 60_000), (false, 60_000)];
        assert_eq!(given_back(&waits).await, [0, 0, 1, 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_released_during_continuous_edits() {
        let given = given_back(&vec![(true, 50); 2 * MANY_EDITS as usize]).await;
        assert_eq!(given.iter().sum::<u32>(), 2);
    }

    #[test]
    fn a_long_document_returns_its_memory_and_short_ones_share_it() {
        let mut idle = Idle::default();
        assert!(idle.closed(1 << 20));
        let due = (0..4096).filter(|_| idle.closed(200)).count();
        assert_eq!(due, 4);
    }

    #[tokio::test(start_paused = true)]
    async fn no_memory_is_released_without_an_edit() {
        assert_eq!(given_back(&[(false, 60_000), (false, 10)]).await, [0, 0]);
    }
}
