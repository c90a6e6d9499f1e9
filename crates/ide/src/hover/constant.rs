//! Hover for constants that a text names by index, `metadata["ir.GenericConst"][0]`: type and elements at a glance.

use hir::body::Expr;
use hir::enclosing::PyValue;
use hir::metadata::{CONSTANT_KEYS, Constant, Referent};
use relax::sinfo::StructInfo;
use relax::value::Value;
use text_size::TextRange;

use super::memory;
use super::relax_function::RelaxHover;
use crate::markdown::{Markdown, markdown};

impl RelaxHover<'_> {
    /// Describes the constant around the token.
    pub fn constant(&self) -> Option<(TextRange, Markdown)> {
        let body = self.at.body;
        let mut around = self.at.expressions().into_iter();
        let (expr, (base, reference)) =
            around.find_map(|it| Some((it, body.metadata_entry(it)?)))?;
        let Expr::Name(name) = &body.exprs[base] else {
            return None;
        };
        let index = reference.index?;
        if !CONSTANT_KEYS.contains(&reference.key.as_str()) {
            return None;
        }
        let loaded = match self.at.function.env(self.db).get(name) {
            Some(PyValue::Metadata(metadata)) => Some(metadata),
            _ if body.is_metadata(expr) => None,
            _ => return None,
        };
        let ty = match self.at.facts.value(expr) {
            Value::Expr(sinfo @ StructInfo::Tensor(_)) => Some(sinfo),
            _ => None,
        };
        let title = ty.map_or_else(|| "?".to_owned(), |it| self.written(it));
        let size = ty.map(memory).unwrap_or_default();
        let elements = match loaded.map(|it| it.referent(&reference)) {
            Some(Referent::Constant(it)) if it.has_elements() => at_a_glance(&it),
            Some(Referent::Constant(_)) => "its elements are in the recording".into(),
            _ => "the text lacks its elements: TVM prints them with `show_meta=True`".into(),
        };
        let title = super::code(&title);
        let text = markdown!("{}constant {}{}\n\n{}", title, index, size, elements);
        Some((body.range(expr), text))
    }
}

fn at_a_glance(constant: &Constant) -> Markdown {
    let Some(it) = constant.statistics() else {
        return "no elements that are numbers".into();
    };
    let nan = match it.nan {
        0 => Markdown::default(),
        count => markdown!(", {} NaN", count),
    };
    let [min, mean, max] = [it.min, it.mean, it.max].map(rounded);
    markdown!("min {}, mean {}, max {}{}", min, mean, max, nan)
}

/// Returns a number with six digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}
