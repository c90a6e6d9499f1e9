//! The Debug Adapter Protocol over standard input and output: a run that stops where one asks it to.
//!
//! One thread reads requests. The program runs in another; while it is stopped, what is asked of its variables is
//! answered there.

mod debugger;
mod evaluate;
mod launch;
mod session;
mod show;
mod wire;

pub use session::serve;
