//! The real binary, over its command line and over the protocol.

mod check;
mod code_actions;
mod completion;
mod diagnostics;
mod diff;
mod documents;
mod features;
mod formatting;
mod graph;
mod inspect;
mod lifecycle;
mod lint;
mod malformed;
mod migrate;
mod models;
mod navigation;
mod programs;
mod protocol;
mod relay;
mod run_cli;
mod run_editor;
mod structure;
mod tensors;
mod texts;
mod updates;
mod workspace;
