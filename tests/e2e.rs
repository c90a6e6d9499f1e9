//! The real binary, over its command line and over the protocol.

mod check;
mod client;
mod documents;
mod lifecycle;
mod malformed;
mod programs;
