//! A browser has no folders: what is kept in memory has a path all the same.

use std::io;
use std::path::Path;

#[derive(Debug)]
pub struct Scratch;

impl Scratch {
    #[expect(clippy::unnecessary_wraps, reason = "a folder may not be made")]
    pub fn new() -> io::Result<Scratch> {
        Ok(Scratch)
    }

    pub fn path(&self) -> &'static Path {
        Path::new("/scratch")
    }
}
