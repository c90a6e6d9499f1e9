//! Blocks: their names, their axes, and the statements that describe a block (`T.reads`, `T.where`).

use relax::diagnostics::Code;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::nest::count;
use super::resolve::{OpenBlock, Resolve};
use super::value::{Named, Value};
use super::{AxisFact, AxisKind, PrimDefKind};
use crate::body::{Arg, Expr, ExprId};
use crate::enclosing::PyValue;

/// What a block says of itself, and whether it may say it twice.
pub(super) const BLOCK_STATEMENTS: &[(&str, bool)] = &[
    ("reads", false),
    ("writes", false),
    ("where", true),
    ("init", false),
    ("sblock_attr", true),
    ("block_attr", true),
];

impl Resolve<'_> {
    /// The block that `T.block("C")` opens; its name is the text between the quotes.
    pub fn open_block(&mut self, args: &[Arg], range: TextRange) {
        let mut name = Named {
            text: SmolStr::default(),
            range: TextRange::empty(range.start()),
        };
        for (at, arg) in args.iter().enumerate() {
            let is_name = arg.keyword.as_ref().map_or(at == 0, |k| k.text == "name");
            if let (true, Expr::Str(text)) = (is_name, &self.body.exprs[arg.value]) {
                name.text = text.clone();
                name.range = within_quotes(self.range(arg.value), text);
            } else {
                self.expr(arg.value);
            }
        }
        // A block's name is not bound in Python: the string alone gives it.
        let id = self.define_unnamed(&name, range, PrimDefKind::Block);
        self.blocks.push(OpenBlock {
            id,
            said: Vec::new(),
        });
    }

    /// A statement that belongs into a block, most of them once.
    pub fn block_statement(&mut self, name: &'static str, range: TextRange) {
        if self.unknown_frames > 0 {
            return;
        }
        let repeats = BLOCK_STATEMENTS.iter().any(|row| row.0 == name && row.1);
        let Some(block) = self.blocks.last_mut() else {
            let message = format!("`T.{name}` belongs into a block, and there is none around it");
            self.report(Code::MisplacedBlockStatement, range, message);
            return;
        };
        let twice = block.said.contains(&name) && !repeats;
        block.said.push(name);
        if twice {
            let message = format!("the block says `T.{name}` twice");
            self.report(Code::MisplacedBlockStatement, range, message);
        }
    }

    /// `vi, vj = T.axis.remap("SR", [i, j])`, `vi = T.axis.spatial(4, i)`. `None` for a target that is no name.
    pub fn axis(
        &mut self,
        axis: &str,
        names: &[Option<Named>],
        alone: bool,
        args: &[Arg],
        range: TextRange,
    ) {
        if self.blocks.is_empty() && self.unknown_frames == 0 {
            let message =
                format!("`T.axis.{axis}` belongs into a block, and there is none around it");
            self.report(Code::MisplacedBlockStatement, range, message);
        }
        if axis == "remap" {
            self.remap(names, alone, args, range);
            return;
        }
        let kind = AxisKind::parse(axis);
        let mut fact = AxisFact {
            kind: kind.unwrap_or(AxisKind::Opaque),
            start: None,
            stop: None,
            binding: None,
            dtype: None,
        };
        let mut dtype = None;
        for (at, arg) in args.iter().enumerate() {
            let param = match &arg.keyword {
                Some(keyword) => keyword.text.as_str(),
                None => ["dom", "binding", "dtype"]
                    .get(at)
                    .copied()
                    .unwrap_or_default(),
            };
            match param {
                "dom" => {
                    let (start, stop) = self.domain(arg.value);
                    fact.start = start.map(|(dim, _)| dim);
                    fact.stop = Some(stop.0);
                    dtype = dtype.or(stop.1);
                }
                "binding" => {
                    fact.binding = Some(self.range(arg.value));
                    let value = self.operand(arg.value);
                    if !value.is_weak() {
                        dtype = value.dtype().or(dtype);
                    }
                }
                "dtype" => {
                    self.dtype(arg.value);
                }
                _ => {
                    self.expr(arg.value);
                }
            }
        }
        fact.dtype = dtype;
        for name in names.iter().flatten() {
            if names.len() == 1 && kind.is_some() {
                self.define_axis(name, range, fact.clone());
            } else {
                self.define(name, range, PrimDefKind::Python);
            }
        }
    }

    fn remap(&mut self, names: &[Option<Named>], alone: bool, args: &[Arg], range: TextRange) {
        let body = self.body;
        let kinds = Self::arg(args, 0, "kinds");
        let bindings = Self::arg(args, 1, "bindings");
        let letters = match kinds.map(|at| self.expr(at)) {
            Some(Value::Python(PyValue::Str(text))) => Some(text),
            _ => None,
        };
        let values: Option<&[ExprId]> = match bindings.map(|at| &body.exprs[at]) {
            Some(Expr::Tuple(items) | Expr::List(items))
                if !items
                    .iter()
                    .any(|&it| matches!(body.exprs[it], Expr::Star(_))) =>
            {
                Some(items)
            }
            _ => None,
        };
        if let Some(bindings) = bindings {
            self.expr(bindings);
        }
        args.iter()
            .skip(2)
            .for_each(|arg| drop(self.expr(arg.value)));
        if let (Some(letters), Some(values)) = (&letters, values) {
            let given = letters.chars().count();
            let named = if alone { given } else { names.len() };
            if given != values.len() || named != given {
                let message = format!(
                    "`T.axis.remap` has {}, {} and {}",
                    count(given, "letter"),
                    count(values.len(), "loop variable"),
                    count(if alone { 1 } else { named }, "name"),
                );
                self.report(Code::IterationCount, range, message);
            } else {
                self.check_letters(letters, kinds);
            }
            for &value in values {
                let plain = !matches!(body.exprs[value], Expr::Binary { .. } | Expr::Int(_));
                if !plain {
                    let message = "`T.axis.remap` takes loop variables: give the value of another axis to `T.axis.spatial` or `T.axis.reduce`";
                    self.report(Code::ArgumentValue, self.range(value), message);
                }
            }
        }
        for (at, name) in names.iter().enumerate() {
            let Some(name) = name else { continue };
            let several = letters.as_ref().is_none_or(|it| it.chars().count() > 1);
            if alone && several {
                self.define(name, range, PrimDefKind::Python);
                continue;
            }
            let letter = letters.as_ref().and_then(|it| it.get(at..=at));
            let value = values.and_then(|values| values.get(at).copied());
            let over = value.and_then(|value| match &body.exprs[value] {
                Expr::Name(name) => match &self.facts.def(self.lookup(name)?).kind {
                    PrimDefKind::Loop(fact) => Some(fact.clone()),
                    _ => None,
                },
                _ => None,
            });
            let fact = AxisFact {
                kind: letter.and_then(AxisKind::parse).unwrap_or(AxisKind::Opaque),
                start: over.as_ref().and_then(|it| it.start),
                stop: over.as_ref().and_then(|it| it.stop),
                binding: value.map(|value| self.range(value)),
                dtype: over.and_then(|it| it.dtype),
            };
            self.define_axis(name, range, fact);
        }
    }

    fn check_letters(&mut self, letters: &str, at: Option<ExprId>) {
        let unknown = letters.chars().find(|it| !matches!(it, 'S' | 'R'));
        if let (Some(unknown), Some(at)) = (unknown, at) {
            let message = format!("`{unknown}` is no kind of axis: `S` is spatial, `R` is reduce");
            self.report(Code::ArgumentValue, self.range(at), message);
        }
    }

    fn define_axis(&mut self, name: &Named, range: TextRange, fact: AxisFact) {
        if let Some(first) = self.defined_here(&name.text)
            && let def = self.facts.def(first)
            && matches!(def.kind, PrimDefKind::Axis(_))
        {
            let at = def.name_range;
            let message = format!("the block has an axis `{}` already", name.text);
            self.report_with(
                Code::Redefinition,
                name.range,
                message,
                (at, "the first one"),
            );
        }
        self.define(name, range, PrimDefKind::Axis(fact));
    }
}

/// The text of a string literal without its quotes, where it is written plainly.
fn within_quotes(range: TextRange, text: &str) -> TextRange {
    let quotes = TextSize::new(1);
    if range.len() == TextSize::of(text) + quotes + quotes {
        TextRange::new(range.start() + quotes, range.end() - quotes)
    } else {
        range
    }
}
