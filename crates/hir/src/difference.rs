//! The structural difference of two modules: which functions are which, and what each has gained, lost and changed.
//!
//! Names of variables, functions and shape variables do not matter, nor does the order of bindings in a dataflow block:
//! both modules are compared in [canonical form](crate::form). The result is plain data: positions of functions and rows
//! in the two forms.
//!
//! - `functions` matches functions: equal ones by content, then by name, then by what they do.
//! - `rows` matches the rows of two functions and compares each pair under the names that the match gives.
//! - `origins` says of functions on one side alone which functions of the other side have the same statements: the pieces
//!   of a fused function, the function that bindings were moved out of.
//! - `heirs` follows one row from one module into the other.

mod functions;
mod heirs;
mod origins;
mod rows;
#[cfg(test)]
mod tests;

use crate::form::{FunctionForm, ModuleForm};

pub use heirs::{Heir, Relation};

/// What two modules have in common and what not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleDifference {
    /// The functions of the module after in order, each of the module before where its neighbours stand.
    pub functions: Vec<FunctionDifference>,
}

/// A function of one or both modules. `before` and `after` are positions in [`ModuleForm::functions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDifference {
    pub before: Option<usize>,
    pub after: Option<usize>,
    pub kind: Kind,
    /// In the order of the function after.
    pub changes: Vec<Change>,
    /// The rows that are the same thing in both, in the order of the function before.
    pub pairs: Vec<(u32, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Unchanged,
    /// Equal under another name.
    Renamed,
    Changed,
    /// New, made of statements of these functions of the module before, if there are any.
    Added {
        from: Vec<usize>,
    },
    /// Gone, its statements being in these functions of the module after, if there are any.
    Removed {
        into: Vec<usize>,
    },
}

/// A row that one side lacks, or that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: Option<u32>,
    pub after: Option<u32>,
    /// The parts that differ: parameters of the operator, `StructInfo`.
    pub parts: Vec<&'static str>,
    /// Whether it stands elsewhere among the others.
    pub moved: bool,
}

impl ModuleDifference {
    pub fn of(before: &ModuleForm, after: &ModuleForm) -> ModuleDifference {
        functions::compare(before, after)
    }

    /// Whether the modules are alpha-equivalent under the same names of functions.
    pub fn is_empty(&self) -> bool {
        self.functions.iter().all(|it| it.kind == Kind::Unchanged)
    }
}

impl FunctionDifference {
    /// The difference of two functions alone, whatever their names.
    pub fn of(before: &FunctionForm, after: &FunctionForm) -> FunctionDifference {
        let names = |function: &FunctionForm| {
            let names = function.callees.iter();
            names.map(|name| crate::form::word(name.as_str())).collect()
        };
        let sides = rows::Sides {
            before,
            after,
            callees_before: names(before),
            callees_after: names(after),
            results_before: vec![None; before.callees.len()],
            results_after: vec![None; after.callees.len()],
        };
        let (changes, pairs) = sides.compare();
        FunctionDifference {
            before: Some(0),
            after: Some(0),
            kind: if changes.is_empty() {
                Kind::Unchanged
            } else {
                Kind::Changed
            },
            changes,
            pairs,
        }
    }

    /// What a row of the function before has become.
    pub fn after_row(&self, before: u32) -> Option<u32> {
        let at = self.pairs.binary_search_by_key(&before, |it| it.0).ok()?;
        Some(self.pairs[at].1)
    }
}
