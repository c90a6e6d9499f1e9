//! Infers a long function in pieces; after an edit, only the pieces that the edit can affect are inferred again.
//!
//! ```text
//!   text of the function        pieces                     history of names
//!   ---------------------       ---------                  ----------------------
//!   def main(x, w):             0  header                  x: 0          w: 0
//!       lv = R.add(x, w)        1  touches x, w; binds lv  lv: 1, 3
//!       lv1 = R.relu(lv)        2  touches lv              lv1: 2
//!       lv = R.mul(lv1, w)      3  touches lv1, w          readers of lv: 2, 4
//!       return lv               4  touches lv
//! ```
//!
//! The parser cuts a function into pieces: the header, then runs of statements (`syntax::pieces`). It keeps a piece by
//! pointer while its text stays the same. Inferring a piece gives its [`facts`](crate::facts::pieces::PieceFacts):
//! what it binds, which names it looked up, its diagnostics. All are relative to the piece, so that they stay valid
//! when it moves.
//!
//! - `pieces` is the entry point: [`infer`] returns the facts of a function, from the text alone or from the version before.
//! - `align` finds the pieces that two versions have in common.
//! - `history` stores, for each name, the pieces that change its meaning, so that the meaning before any piece is found
//!   without replaying earlier pieces. `chunked` rows make copies cheap. `names` and `ids` assign ids to names and variables
//!   that survive edits.
//! - `rerun` applies an edit: new pieces are doubtful, and so is each reader of a name that a changed piece binds
//!   differently. Doubtful pieces are inferred in order; pieces whose names have kept their meaning keep their facts.
//! - `base` is the environment of a piece during inference. It records every name that inference looks up. Inference must
//!   access everything outside of the piece only through it.
//! - `state` is the state before a piece besides names (an open block, an ended function). `world` is what the function
//!   depends on outside of itself (settings, signatures of other functions); if it differs, nothing is kept.
//! - `compose` and `counts` combine the facts of pieces to those of the function: result, purity, unused variables.
//! - `lazy_facts` infers the types of expressions, which facts do not contain.
//!
//! The previous version is a cache and never trusted: `queries/edits` compares facts after random edits with facts of
//! the same text inferred from scratch. Salsa decides which functions an edit affects. Inside one function it cannot
//! help, because a tracked function cannot build on its own earlier value. That value comes from
//! [`crate::db::Db::previous`].

mod align;
pub(crate) mod base;
pub(crate) mod chunked;
pub(crate) mod compose;
mod counts;
pub(crate) mod history;
mod ids;
mod lazy_facts;
pub(crate) mod names;
mod pieces;
mod rerun;
pub(crate) mod state;
mod world;

pub(crate) use align::align;
pub(crate) use counts::Counts;
pub use lazy_facts::LazyFacts;
pub use pieces::{infer, infer_with_expressions, signature};
pub(crate) use world::World;
