//! Meaning of Relay programs, the text format of TVM before Relax: names, types, mistakes.
//!
//! A room of its own beside TVMScript's: it shares the vocabulary (`relax::relay`, operators, dtypes, codes), and
//! knows no database and no editor.

pub mod body;
