//! Compares two modules and names the functions and bindings that differ, with their lines, for an editor or a
//! command.
//!
//! [`hir::difference`] finds the differences; this file adds their texts. A [`Snapshot`] is a module without its
//! database, so each of many stages is read once and can be compared with any other.

use std::sync::Arc;

use hir::difference::{Change, FunctionDifference, Kind, ModuleDifference};
use hir::form::{ModuleForm, PlacedForm, RowKind};
use hir::{Text, file_release};
use relax::FunctionKind;
use relax::dialect::Dialect;
use relax::parts::Part;
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::types::FileId;

impl Analysis {
    /// Returns a snapshot of a file that can be compared with other snapshots.
    pub fn snapshot(&self, file: FileId) -> Cancellable<Snapshot> {
        self.with_file(file, |db, file| Snapshot {
            form: Arc::new(ModuleForm::of(db, file)),
            text: file.source(db).text.clone(),
            dialect: file_release(db, file).dialect(),
        })
    }
}

/// A module in canonical form, with its text.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub form: Arc<ModuleForm>,
    pub text: Text,
    dialect: Dialect,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub functions: Vec<FunctionChanges>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionChanges {
    pub kind: FunctionKind,
    pub before: Option<Place>,
    pub after: Option<Place>,
    pub outcome: Outcome,
    pub changes: Vec<RowChange>,
}

/// A function or a row in one of the two modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    /// The range to show. For a function, its name.
    pub range: TextRange,
    /// The full range. For a function, from `def` to its end.
    pub whole: TextRange,
    /// The first line, without indentation.
    pub line: String,
    /// The StructInfo in the file's dialect; empty if unknown, or too long to read.
    pub struct_info: String,
}

/// StructInfo of more parts is not shown: many variables may hold the same wide tuple.
const MOST_PARTS: u32 = 1000;

impl Place {
    pub(crate) fn of_function(function: &PlacedForm, snapshot: &Snapshot) -> Place {
        Place {
            name: function.name.to_string(),
            range: function.name_range(),
            whole: function.range(),
            line: line(&snapshot.text, function.name_range()),
            struct_info: String::new(),
        }
    }

    pub(crate) fn of_row(function: &PlacedForm, at: u32, snapshot: &Snapshot) -> Place {
        let row = &function.rows[at as usize];
        let range = function.row_range(at);
        let struct_info = row.struct_info.as_ref();
        let struct_info = struct_info.filter(|it| it.weight().parts <= MOST_PARTS);
        Place {
            name: row.name.to_string(),
            range,
            whole: range,
            line: line(&snapshot.text, range),
            struct_info: struct_info
                .map(|it| it.display(snapshot.dialect).to_string())
                .unwrap_or_default(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Unchanged,
    Renamed,
    Changed,
    Added,
    Removed,
    /// A new function that does everything that these functions of the other module did.
    Merged(Vec<String>),
    /// A new function that was moved out of these functions, which still exist.
    Split(Vec<String>),
    /// A removed function whose code is now in these functions.
    MovedInto(Vec<String>),
}

impl Outcome {
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Unchanged => "unchanged",
            Outcome::Renamed => "renamed",
            Outcome::Changed => "changed",
            Outcome::Added => "added",
            Outcome::Removed => "removed",
            Outcome::Merged(_) => "merged",
            Outcome::Split(_) => "split",
            Outcome::MovedInto(_) => "moved",
        }
    }

    /// Returns the functions of the other module that this change refers to.
    pub fn functions(&self) -> &[String] {
        match self {
            Outcome::Merged(names) | Outcome::Split(names) | Outcome::MovedInto(names) => names,
            _ => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChange {
    /// The kind of the row: `binding`, `parameter`, `loop`, ...
    pub what: &'static str,
    pub before: Option<Place>,
    pub after: Option<Place>,
    /// The parts that differ, such as parameters of the operator or `StructInfo`.
    pub parts: Vec<&'static str>,
    pub moved: bool,
}

impl Difference {
    /// Compares two modules, or the functions of one name in them.
    pub fn of(before: &Snapshot, after: &Snapshot) -> Difference {
        let difference = ModuleDifference::of(&before.form, &after.form);
        Difference::described(&difference, before, after)
    }

    /// Adds names, lines and StructInfo to a difference of two snapshots.
    pub fn described(
        difference: &ModuleDifference,
        before: &Snapshot,
        after: &Snapshot,
    ) -> Difference {
        let functions = difference.functions.iter();
        Difference {
            functions: functions
                .map(|it| function_changes(it, before, after))
                .collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        let mut functions = self.functions.iter();
        functions.all(|it| it.outcome == Outcome::Unchanged)
    }
}

fn function_changes(
    difference: &FunctionDifference,
    before: &Snapshot,
    after: &Snapshot,
) -> FunctionChanges {
    let of_before = difference.before.map(|at| &before.form.functions[at]);
    let of_after = difference.after.map(|at| &after.form.functions[at]);
    let names = |positions: &[usize], snapshot: &Snapshot| {
        let functions = positions.iter().map(|at| &snapshot.form.functions[*at]);
        functions.map(|it| it.name.to_string()).collect::<Vec<_>>()
    };
    let outcome = match &difference.kind {
        Kind::Unchanged => Outcome::Unchanged,
        Kind::Renamed => Outcome::Renamed,
        Kind::Changed => Outcome::Changed,
        Kind::Added { from } => match from.as_slice() {
            [] => Outcome::Added,
            [_] => Outcome::Split(names(from, before)),
            _ => Outcome::Merged(names(from, before)),
        },
        Kind::Removed { into } if into.is_empty() => Outcome::Removed,
        Kind::Removed { into } => Outcome::MovedInto(names(into, after)),
    };
    let changes = difference.changes.iter();
    FunctionChanges {
        kind: of_after
            .or(of_before)
            .map_or(FunctionKind::Python, |it| it.kind),
        before: of_before.map(|it| Place::of_function(it, before)),
        after: of_after.map(|it| Place::of_function(it, after)),
        outcome,
        changes: changes
            .filter_map(|it| row_change(it, (of_before?, before), (of_after?, after)))
            .collect(),
    }
}

fn row_change(
    change: &Change,
    (of_before, before): (&PlacedForm, &Snapshot),
    (of_after, after): (&PlacedForm, &Snapshot),
) -> Option<RowChange> {
    let row = match (change.after, change.before) {
        (Some(at), _) => &of_after.rows[at as usize],
        (None, at) => &of_before.rows[at? as usize],
    };
    Some(RowChange {
        what: kind_name(row.kind),
        before: change.before.map(|at| Place::of_row(of_before, at, before)),
        after: change.after.map(|at| Place::of_row(of_after, at, after)),
        parts: change.parts.clone(),
        moved: change.moved,
    })
}

fn kind_name(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Decorator => "decorator",
        RowKind::Signature => "signature",
        RowKind::Attribute => "attribute",
        RowKind::Parameter => "parameter",
        RowKind::Binding => "binding",
        RowKind::Block => "block",
        RowKind::Return => "return",
        RowKind::Buffer => "buffer",
        RowKind::Axes => "axes",
        RowKind::Region => "region",
        RowKind::Nest => "loop or block",
        RowKind::Statement => "statement",
    }
}

/// Returns the first line of the code at a range. For a statement or a `def`, this is the line it starts on; for
/// anything inside one, only its own text.
fn line(text: &str, range: TextRange) -> String {
    let start = usize::from(range.start()).min(text.len());
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let shown = match text[first..start].trim() {
        "" | "def" => &text[first..],
        _ => &text[start..usize::from(range.end()).clamp(start, text.len())],
    };
    let line = shown.trim_start().lines().next();
    line.unwrap_or_default().trim_end().to_owned()
}
