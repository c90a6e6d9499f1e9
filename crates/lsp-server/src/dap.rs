//! The Debug Adapter Protocol over standard input and output: debugs a run.
//!
//! One thread reads requests. The program runs in another thread, which answers requests about its variables while it
//! is stopped.

mod breakpoints;
mod debugger;
mod evaluate;
mod launch;
mod lines;
mod session;
mod show;
mod wire;

pub use session::serve;
