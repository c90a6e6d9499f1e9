//! Running a function of a program: the job, the child process it runs in, the execution itself, the outcome.

pub mod child;
pub mod execute;
pub mod job;
pub mod outcome;
