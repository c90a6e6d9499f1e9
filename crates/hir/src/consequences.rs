//! Drops reports that follow from another report of the same function: one mistake, one report.

use relax::diagnostics::{Code, Diagnostic};

/// A report that explains others.
struct Row {
    cause: Code,
    /// What its message contains.
    says: &'static str,
    follows: Code,
    /// What the message that follows contains.
    contains: &'static str,
    place: Place,
}

/// Where the report that follows is.
#[derive(Clone, Copy)]
enum Place {
    Anywhere,
    Behind,
    Inside,
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // `R.emit_output(y)` was meant as `R.output(y)`.
    row(Code::UnknownOperator, "is not a known operator", Code::DataflowVarOutsideBlock, "has no `R.output`", Place::Behind),
    // `x += y` was meant as `z = x + y`.
    row(Code::UnsupportedStatement, "`+=`", Code::UndefinedName, "", Place::Behind),
    row(Code::UnsupportedStatement, "`yield`", Code::MissingReturn, "", Place::Anywhere),
    // The names that are missing at a loop or at axes are used in the body.
    row(Code::IterationCount, "", Code::UndefinedName, "", Place::Behind),
    row(Code::IterationCount, "`T.axis.remap`", Code::ArgumentCount, "", Place::Inside),
    row(Code::UndefinedName, "`T.axis.", Code::ArgumentType, "a string", Place::Behind),
    // The block around the statements is missing.
    row(Code::MisplacedBlockStatement, "`T.", Code::MisplacedBlockStatement, "is only allowed in a block", Place::Behind),
    row(Code::UnsupportedStatement, "`assert`", Code::UndefinedName, "", Place::Behind),
    // A variable that hides a module is used in place of the module in the whole function.
    row(Code::UnknownAttribute, "a number has", Code::UnknownAttribute, "hides the module", Place::Behind),
    // An argument too many moves those behind it.
    row(Code::InvalidAnnotation, "the shape of a tensor", Code::InvalidAnnotation, "a dtype must be", Place::Behind),
    row(Code::InvalidAnnotation, "a dtype must be", Code::ArgumentCount, "is given twice", Place::Behind),
    row(Code::InvalidAnnotation, "the shape of a tensor", Code::ArgumentCount, "is given twice", Place::Behind),
    row(Code::InvalidAnnotation, "the shape of a buffer", Code::InvalidAnnotation, "a dtype must be", Place::Behind),
];

const fn row(
    cause: Code,
    says: &'static str,
    follows: Code,
    contains: &'static str,
    place: Place,
) -> Row {
    Row {
        cause,
        says,
        follows,
        contains,
        place,
    }
}

/// Returns the reports of a function without those that follow from others.
pub(crate) fn without_consequences(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if diagnostics.len() < 2 {
        return diagnostics;
    }
    for row in ROWS {
        let is_cause = |it: &&Diagnostic| it.code == row.cause && it.message.contains(row.says);
        let causes = diagnostics.iter().filter(is_cause);
        let Some(cause) = causes.map(|it| it.range).min_by_key(|it| it.end()) else {
            continue;
        };
        diagnostics.retain(|it| {
            let is_placed = match row.place {
                Place::Anywhere => true,
                Place::Behind => cause.end() <= it.range.start(),
                Place::Inside => cause.intersect(it.range).is_some(),
            };
            !(is_placed && it.code == row.follows && it.message.contains(row.contains))
        });
    }
    diagnostics
}
