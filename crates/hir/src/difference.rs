//! The structural difference of two modules: matches functions, and lists added, removed and changed rows.
//!
//! Names of variables, functions and shape variables are ignored, and so is the order of bindings in a dataflow block,
//! since both modules are compared in [canonical form](crate::form). The result is plain data: indices of functions
//! and rows in the two forms.
//!
//! - `functions` matches functions: by equal contents, then by name, then by similarity.
//! - `rows` matches the rows of two functions, and compares each pair under the resulting renaming.
//! - `aliases` resolves rows that only give another name to a value.
//! - `origins` finds, for functions without a counterpart, the functions of the other module with the same statements: the
//!   parts of a fused function, or the function that bindings were moved out of.
//! - `successors` follows one row from one module into the other.

mod aliases;
mod functions;
mod origins;
mod rows;
mod successors;
#[cfg(test)]
mod tests;

use crate::form::{FunctionForm, ModuleForm};

pub use successors::{Relation, Successor};

/// The difference of two modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleDifference {
    /// The functions of the second module in order, with those that only the first has next to their neighbours.
    pub functions: Vec<FunctionDifference>,
}

/// A function of one or both modules. `before` and `after` are indices into [`ModuleForm::functions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDifference {
    pub before: Option<usize>,
    pub after: Option<usize>,
    pub kind: Kind,
    /// The changes in the order of the second function.
    pub changes: Vec<Change>,
    /// Pairs of corresponding rows, in the order of the first function.
    pub pairs: Vec<(u32, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Unchanged,
    /// Equal, but with another name.
    Renamed,
    Changed,
    /// Added. Lists the functions of the first module that contained its statements, if any.
    Added {
        from: Vec<usize>,
    },
    /// Removed. Lists the functions of the second module that contain its statements, if any.
    Removed {
        into: Vec<usize>,
    },
}

/// A row that only one side has, or that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: Option<u32>,
    pub after: Option<u32>,
    /// The parts that differ: parameters of the operator, `StructInfo`.
    pub parts: Vec<&'static str>,
    /// `true` if its position among the other rows changed.
    pub moved: bool,
}

impl ModuleDifference {
    pub fn of(before: &ModuleForm, after: &ModuleForm) -> ModuleDifference {
        functions::compare(before, after)
    }

    /// Returns `true` if the modules are alpha-equivalent, with the same names of functions.
    pub fn is_empty(&self) -> bool {
        self.functions.iter().all(|it| it.kind == Kind::Unchanged)
    }
}

impl FunctionDifference {
    /// Compares two functions, whatever their names.
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

    /// Returns the counterpart of a row of the first function.
    pub fn after_row(&self, before: u32) -> Option<u32> {
        let at = self.pairs.binary_search_by_key(&before, |it| it.0).ok()?;
        Some(self.pairs[at].1)
    }
}
