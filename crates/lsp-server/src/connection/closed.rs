//! Notices that the client has closed the other end of standard output, also while there is nothing to write.

use std::io;
use std::os::fd::AsRawFd;

use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};

/// Waits until nothing that is written to standard output can be read any more. Returns an error if the system cannot
/// tell, as for a file, which is never closed.
pub fn wait_until_closed() -> io::Result<()> {
    let output = io::stdout().as_raw_fd();
    let mut poll = Poll::new()?;
    let mut output = SourceFd(&output);
    let registry = poll.registry();
    registry.register(&mut output, Token(0), Interest::WRITABLE)?;
    let mut events = Events::with_capacity(4);
    loop {
        match poll.poll(&mut events, None) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        if events
            .iter()
            .any(|it| it.is_write_closed() || it.is_error())
        {
            return Ok(());
        }
    }
}
