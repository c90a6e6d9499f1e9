//! A long function is inferred in pieces, and after an edit only the pieces that the edit can affect are inferred again.
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
//! pointer as long as its text stays. Inference of one piece gives its [`facts`](crate::facts::pieces::PieceFacts): what
//! it binds, which names it looked at, its diagnostics, all relative to the piece, so that they stay true when the piece
//! moves.
//!
//! - `pieces` is the door: [`infer`] gives the facts of a function, from the text alone or from the version before.
//! - `align` finds the pieces that two versions have in common.
//! - `history` knows for each name the pieces that change its meaning, so the meaning in front of any piece is found
//!   without replaying the ones before it. `chunked` rows make a copy of it cheap. `names` and `ids` give names and
//!   variables numbers that survive edits.
//! - `rerun` is the edit: new pieces are doubtful, and so is each reader of a name that a changed piece binds otherwise.
//!   Doubtful pieces are inferred in order; those whose names mean what they meant keep their facts.
//! - `base` is the surroundings of a piece while it is inferred. It notes every name that inference looks up. Inference
//!   must reach the world outside of the piece only through it.
//! - `state` is what holds in front of a piece besides names (an open block, an ended function). `world` is what the
//!   function depends on outside of itself (settings, signatures of other functions); if it differs, nothing is kept.
//! - `compose` and `counts` make the facts of the function from those of its pieces: return, purity, unused variables.
//! - `lazy_facts` infers the types of expressions, which facts do not keep.
//!
//! The version before is a cache and never trusted: `queries/edits` compares facts after random edits with facts of the
//! same text inferred from nothing. Salsa decides which functions an edit concerns; inside one function it cannot help,
//! because a tracked function cannot build on its own earlier value. That value comes from [`crate::db::Db::previous`].

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
