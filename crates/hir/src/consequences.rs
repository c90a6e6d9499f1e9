//! Drops reports that follow from another report of the same function: one mistake, one report.

use relax::diagnostics::{Code, Diagnostic};

/// A report that explains others.
struct Consequence {
    cause: Code,
    /// What its message contains.
    says: &'static str,
    follows: Code,
    /// What the message that follows contains.
    contains: &'static str,
    place: Whereabouts,
}

/// Where the report that follows is.
#[derive(Clone, Copy)]
enum Whereabouts {
    Anywhere,
    Behind,
    Inside,
}

#[rustfmt::skip]
const ROWS: &[Consequence] = &[
    // `R.emit_output(y)` was meant as `R.output(y)`.
    row(Code::UnknownOperator, "is not a known operator", Code::DataflowVarOutsideBlock, "has no `R.output`", Whereabouts::Behind),
    // `x += y` was meant as `z = x + y`.
    row(Code::UnsupportedStatement, "`+=`", Code::UndefinedName, "", Whereabouts::Behind),
    row(Code::UndefinedName, "write `R.output`", Code::DataflowVarOutsideBlock, "has no `R.output`", Whereabouts::Behind),
    row(Code::UnsupportedStatement, "`yield`", Code::MissingReturn, "", Whereabouts::Anywhere),
    // The names that are missing at a loop or at axes are used in the body.
    row(Code::IterationCount, "", Code::UndefinedName, "", Whereabouts::Behind),
    row(Code::IterationCount, "`T.axis.remap`", Code::ArgumentCount, "", Whereabouts::Inside),
    row(Code::UndefinedName, "`T.axis.", Code::ArgumentType, "a string", Whereabouts::Behind),
    // The block around the statements is missing.
    row(Code::MisplacedBlockStatement, "`T.", Code::MisplacedBlockStatement, "is only allowed in a block", Whereabouts::Behind),
    row(Code::UnsupportedStatement, "`assert`", Code::UndefinedName, "", Whereabouts::Behind),
    // A variable that hides a module is used in place of the module in the whole function.
    row(Code::UnknownAttribute, "a number has", Code::UnknownAttribute, "hides the module", Whereabouts::Behind),
    // An argument too many moves those behind it.
    row(Code::InvalidAnnotation, "the shape of a tensor", Code::InvalidAnnotation, "a dtype must be", Whereabouts::Behind),
    row(Code::InvalidAnnotation, "a dtype must be", Code::ArgumentCount, "is given twice", Whereabouts::Behind),
    row(Code::InvalidAnnotation, "the shape of a tensor", Code::ArgumentCount, "is given twice", Whereabouts::Behind),
    row(Code::InvalidAnnotation, "the shape of a buffer", Code::InvalidAnnotation, "a dtype must be", Whereabouts::Behind),
];

const fn row(
    cause: Code,
    says: &'static str,
    follows: Code,
    contains: &'static str,
    place: Whereabouts,
) -> Consequence {
    Consequence {
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
        let cause = causes.map(|it| (it.range, it.severity));
        let Some((cause, severity)) = cause.min_by_key(|it| (it.1, it.0.end())) else {
            continue;
        };
        diagnostics.retain(|it| {
            let is_placed = match row.place {
                Whereabouts::Anywhere => true,
                Whereabouts::Behind => cause.end() <= it.range.start(),
                Whereabouts::Inside => cause.intersect(it.range).is_some(),
            };
            // A warning explains no error.
            let is_placed = is_placed && severity <= it.severity;
            !(is_placed && it.code == row.follows && it.message.contains(row.contains))
        });
    }
    diagnostics
}
