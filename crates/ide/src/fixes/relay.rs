//! Fixes for Relay's text: the most similar name, and missing clauses of a match.

use hir::RelayFile;
use hir::relay::body::{Arm, Body, Expr, ExprId, Pattern, PatternKind};
use hir::relay::infer::exhaustive::unmatched;
use relax::Diagnostic;
use relax::relay::{Dim, Type};
use text_size::{TextRange, TextSize};

use super::Fixes;
use crate::lines::{line_at, line_ending};
use crate::source_edit::SourceEdit;

/// A file with its text.
pub struct RelayContext<'a> {
    pub file: &'a RelayFile,
    pub text: &'a str,
}

pub fn nearest_name(cx: &RelayContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    if let Some((range, name)) = &diagnostic.instead {
        let title = format!("Change `{}` to `{name}`", &cx.text[*range]);
        let edit = SourceEdit::replace(*range, name.as_str());
        fixes.preferred("nearest-name", title, edit);
    }
}

/// Adds a clause for each missing case, whose value is a default of the match's type.
pub fn add_clauses(cx: &RelayContext<'_>, diagnostic: &Diagnostic, fixes: &mut Fixes) {
    let Some(found) = match_at(cx.file, diagnostic.range) else {
        return;
    };
    let patterns: Vec<&Pattern> = found.arms.iter().map(|it| &it.pattern).collect();
    let missing = unmatched(&patterns, &cx.file.facts.env);
    if let Some(value) = found.value(cx) {
        let clauses = missing.iter().map(|it| format!("{it} => {value}"));
        let edit = found.insert(cx.text, clauses);
        fixes.preferred("add-clauses", "Add the missing clauses", edit);
    }
    let keyword = TextRange::at(diagnostic.range.start(), TextSize::of("match"));
    let edit = SourceEdit::insert(keyword.end(), "?");
    fixes.possible("partial-match", "Allow missing cases with `match?`", edit);
}

/// A match in a file.
struct Match<'a> {
    body: &'a Body,
    /// The start of its definition.
    start: TextSize,
    range: TextRange,
    ty: Option<&'a Type>,
    arms: &'a [Arm],
}

fn match_at(file: &RelayFile, range: TextRange) -> Option<Match<'_>> {
    let definitions = &file.module.definitions;
    let at = definitions.partition_point(|it| it.start <= range.start());
    let at = at.checked_sub(1)?;
    let (body, start) = (&*definitions[at].body, definitions[at].start);
    let is_here = |id: ExprId| body.range(id) + start == range;
    body.exprs().find_map(|(id, expr)| match expr {
        Expr::Match { arms, .. } if is_here(id) => Some(Match {
            body,
            start,
            range,
            ty: file.facts.definitions[at].expr(id),
            arms,
        }),
        _ => None,
    })
}

impl Match<'_> {
    fn insert(&self, text: &str, clauses: impl Iterator<Item = String>) -> SourceEdit {
        let brace = self.range.end() - TextSize::of('}');
        let Some(last) = self.arms.last() else {
            let clauses: Vec<String> = clauses.collect();
            return SourceEdit::insert(brace, format!(" {} ", clauses.join(", ")));
        };
        let pattern = last.pattern.range;
        let pattern = pattern.start() + self.start;
        let line = line_at(text, pattern);
        let before = &text[TextRange::new(line.start(), pattern)];
        let gap = if before.trim().is_empty() {
            format!("{}{before}", line_ending(text))
        } else {
            " ".to_owned()
        };
        let end = self.body.range(last.body).end() + self.start;
        let behind = &text[TextRange::new(end, brace)];
        match behind
            .rfind(',')
            .filter(|it| behind[it + 1..].trim().is_empty())
        {
            Some(comma) => {
                let clauses: Vec<String> = clauses.map(|it| format!("{gap}{it},")).collect();
                SourceEdit::insert(end + TextSize::new(comma as u32 + 1), clauses.concat())
            }
            None => {
                let clauses: Vec<String> = clauses.map(|it| format!(",{gap}{it}")).collect();
                let trimmed = TextSize::of(behind.trim_end());
                SourceEdit::insert(end + trimmed, clauses.concat())
            }
        }
    }

    /// Returns a default value of the match's type, or else the value of a clause that does not use its pattern's
    /// variables.
    fn value(&self, cx: &RelayContext<'_>) -> Option<String> {
        self.ty.and_then(default_value).or_else(|| {
            let plain = self.arms.iter().find(|it| !binds(&it.pattern))?;
            let range = self.body.range(plain.body) + self.start;
            Some(cx.text[range].to_owned())
        })
    }
}

fn binds(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Local(_) => true,
        PatternKind::Constructor { fields, .. } | PatternKind::Tuple(fields) => {
            fields.iter().any(binds)
        }
        PatternKind::Missing | PatternKind::Wildcard => false,
    }
}

/// Returns an expression of a type, or `None` if there is no obvious choice.
fn default_value(ty: &Type) -> Option<String> {
    match ty {
        Type::Tensor(tensor) => {
            let dtype = tensor.dtype.to_string();
            if tensor.shape.is_empty() {
                match dtype.as_str() {
                    "bool" => return Some("False".to_owned()),
                    "int32" => return Some("0".to_owned()),
                    "float32" => return Some("0f".to_owned()),
                    _ => {}
                }
            }
            let extents = tensor.shape.iter().map(|it| match it {
                Dim::Int(extent) => Some(extent.to_string()),
                Dim::Any | Dim::Var(_) => None,
            });
            let extents: Vec<String> = extents.collect::<Option<_>>()?;
            let shape = extents.join(", ");
            Some(format!("zeros(shape=[{shape}], dtype=\"{dtype}\")"))
        }
        Type::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(default_value).collect::<Option<_>>()?;
            Some(match &fields[..] {
                [only] => format!("({only},)"),
                _ => format!("({})", fields.join(", ")),
            })
        }
        _ => None,
    }
}
