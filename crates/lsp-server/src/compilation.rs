//! Modules of a compilation, for the command line and for editors: the dumps of its passes in order, two modules side by
//! side, and what they differ in as text. Knows no command line and no protocol.

pub mod costs;
pub mod dumps;
pub mod files;
pub mod sides;
pub mod text;
