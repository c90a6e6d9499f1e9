//! Blocks: their names, their axes, and their attributes (reads, writes, predicates).

use relax::diagnostics::Code;
use relax::release::Release;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::arith::{self, Number};
use super::nest::count;
use super::value::{Named, Value};
use super::with::FrameKind;
use super::{Entity, Reader};
use crate::body::{Arg, Expr, ExprId};
use crate::enclosing::PyValue;
use crate::prim_facts::{AxisFact, AxisKind, BlockFact, PrimDefId, PrimDefKind};
use crate::tir::{self, Binary, Block, ExprKind, Iter};

/// A block while its statements are read.
pub(super) struct OpenBlock {
    pub id: PrimDefId,
    /// The names of `reads`, `writes`, `where` and `init` statements so far.
    said: Vec<&'static str>,
    /// `true` if it has axes.
    has_axes: bool,
    pub block: Block,
}

impl OpenBlock {
    /// Returns `true` if it has this statement about itself.
    pub fn says(&self, name: &str) -> bool {
        self.said.contains(&name)
    }
}

/// Statements about a block, and whether each may occur twice.
pub(super) const BLOCK_STATEMENTS: &[(&str, bool)] = &[
    ("reads", false),
    ("writes", false),
    ("where", true),
    ("init", false),
    ("sblock_attr", true),
    ("block_attr", true),
];

impl Reader<'_> {
    /// Opens the block of `T.block("C")`. The range of its name is the text between the quotes.
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
                let value = self.silent(|it| it.value(arg.value));
                if is_name && value.is_tir() {
                    let message = "the name of a block must be a string";
                    self.report(Code::ArgumentType, self.range(arg.value), message);
                }
            }
        }
        // A block's name is not a Python name: it occurs only in the string.
        let kind = PrimDefKind::Block(BlockFact::default());
        let id = self.define_unnamed(&name, range, kind, Entity::Hole);
        self.blocks.push(OpenBlock {
            id,
            said: Vec::new(),
            has_axes: false,
            block: Block::default(),
        });
        self.open_frame(FrameKind::Block, range);
    }

    /// Reads a statement about a block. Most may occur once.
    pub fn block_statement(&mut self, name: &'static str, range: TextRange) {
        if self.unknown_frames > 0 {
            return;
        }
        let repeats = BLOCK_STATEMENTS.iter().any(|row| row.0 == name && row.1);
        let Some(block) = self.blocks.last_mut() else {
            let message = format!("`T.{name}` is only allowed in a block");
            self.report(Code::MisplacedBlockStatement, range, message);
            return;
        };
        let twice = block.says(name) && !repeats;
        block.said.push(name);
        if twice {
            let message = format!("the block has `T.{name}` twice");
            self.report(Code::MisplacedBlockStatement, range, message);
        }
    }

    /// Reads `T.reads(A[vi, 0:4])` and `T.writes(...)`.
    pub fn block_regions(&mut self, verb: &str, args: &[Arg]) {
        let regions = args.iter().map(|arg| self.body.range(arg.value));
        let Some(open) = self.blocks.last() else {
            return;
        };
        if let PrimDefKind::Block(fact) = &mut self.facts.defs[open.id.0 as usize].kind {
            match verb {
                "reads" => fact.reads.extend(regions),
                "writes" => fact.writes.extend(regions),
                _ => {}
            }
        }
    }

    /// Reads `vi, vj = T.axis.remap("SR", [i, j])` and `vi = T.axis.spatial(4, i)`. A target is `None` if it is not a
    /// name.
    pub fn axis(
        &mut self,
        axis: &str,
        names: &[Option<Named>],
        alone: bool,
        args: &[Arg],
        range: TextRange,
    ) {
        self.before_block(|it| it.axis_before(axis, names, alone, args, range));
    }

    /// Reports a condition where an axis is bound to a number.
    fn check_binding(&mut self, binding: Option<&Number>, range: TextRange) {
        let is_condition = binding.is_some_and(|it| it.expr.dtype.is_bool());
        if is_condition && self.around.release >= Release::V0_27 {
            let message = "an axis is bound to an integer, but this is a condition";
            self.report(Code::DtypeMismatch, range, message);
        }
    }

    fn axis_before(
        &mut self,
        axis: &str,
        names: &[Option<Named>],
        alone: bool,
        args: &[Arg],
        range: TextRange,
    ) {
        if self.blocks.is_empty() && self.unknown_frames == 0 {
            let message = format!("`T.axis.{axis}` is only allowed in a block");
            self.report(Code::MisplacedBlockStatement, range, message);
        }
        if axis == "remap" {
            self.remap(names, alone, args, range);
            return;
        }
        let kind = AxisKind::parse(axis);
        let (mut domain, mut binding, mut at) = (None, None, None);
        for (param, arg) in self.bound("axis.spatial", args) {
            match param {
                "dom" => domain = Some(self.domain(arg.value)),
                "binding" => {
                    at = Some(self.range(arg.value));
                    binding = self.number(arg.value);
                    self.check_binding(binding.as_ref(), self.range(arg.value));
                }
                _ => self.silent_args([arg]),
            }
        }
        let (start, stop) = match &domain {
            Some((start, stop)) => (start.as_ref().map(|it| it.0), Some(stop.0)),
            None => (None, None),
        };
        let domain = domain.and_then(|(start, stop)| {
            let stop = self.bound_of(stop.1?);
            let Some((_, start)) = start else {
                return Some((tir::Expr::int(0, stop.dtype, range), stop));
            };
            let start = self.bound_of(start?);
            let (low, high) = (Number::strong(start.clone()), Number::strong(stop));
            Some((start, self.binary(Binary::Sub, high, low, range).expr))
        });
        let fact = |dtype| AxisFact {
            kind: kind.unwrap_or(AxisKind::Opaque),
            start,
            stop,
            binding: at,
            dtype,
        };
        let [name] = names else {
            self.refuse(range, "an axis must have one name");
            for name in names.iter().flatten() {
                self.define(name, range, PrimDefKind::Python, Entity::Hole);
            }
            return;
        };
        let (Some(name), true) = (name, kind.is_some()) else {
            self.refuse(
                range,
                format!("`T.axis.{axis}` does not run on this machine"),
            );
            if let Some(name) = name {
                self.define(name, range, PrimDefKind::Python, Entity::Hole);
            }
            return;
        };
        let value = binding.map(|it| self.bound_of(it));
        let (dtype, entity) = match (value, domain) {
            (Some(value), Some(domain)) => {
                let reduce = kind == Some(AxisKind::Reduce);
                let var = self.add_axis(&name.text, reduce, domain, value);
                (Some(self.func.var(var).dtype), Entity::Var(var))
            }
            (value, domain) => {
                self.refuse_whole(range, "an axis needs a domain and a value");
                let value = value.filter(|it| it.as_int().is_none());
                let dtype = value.or(domain.map(|it| it.1)).map(|it| it.dtype);
                (dtype, Entity::Hole)
            }
        };
        self.define_axis(name, range, fact(dtype), entity);
    }

    fn remap(&mut self, names: &[Option<Named>], alone: bool, args: &[Arg], range: TextRange) {
        let (mut letters, mut letters_at, mut values) = (None, None, None);
        self.check_order_of_remap(args);
        for (param, arg) in self.bound("axis.remap", args) {
            match param {
                "kinds" => {
                    letters_at = Some(self.range(arg.value));
                    letters = match self.value(arg.value) {
                        Value::Python(PyValue::Str(text)) => Some(text),
                        _ => None,
                    };
                }
                "bindings" => values = self.bindings(arg.value),
                _ => self.silent_args([arg]),
            }
        }
        if let (Some(letters), Some(values)) = (&letters, &values) {
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
                self.check_letters(letters, letters_at);
            }
        } else {
            self.refuse_whole(range, "these axes are only known when Python runs");
        }
        let several = letters
            .as_ref()
            .is_none_or(|it| it.chars().nth(1).is_some());
        for (at, name) in names.iter().enumerate() {
            let Some(name) = name else { continue };
            if alone && several {
                self.refuse_whole(range, "an axis must have one name");
                self.define(name, range, PrimDefKind::Python, Entity::Hole);
                continue;
            }
            let kind = letters
                .as_ref()
                .and_then(|it| it.get(at..=at))
                .and_then(AxisKind::parse);
            let value = values.as_ref().and_then(|values| values.get(at));
            let over = value.and_then(|value| match &self.facts.def(value.def?).kind {
                PrimDefKind::Loop(fact) => Some(fact.clone()),
                _ => None,
            });
            let fact = AxisFact {
                kind: kind.unwrap_or(AxisKind::Opaque),
                start: over.as_ref().and_then(|it| it.start),
                stop: over.as_ref().and_then(|it| it.stop),
                binding: value.map(|value| value.range),
                dtype: over.and_then(|it| it.dtype),
            };
            let entity = match value.and_then(|value| value.expr.clone()) {
                Some(value) => self.remapped(&name.text, kind == Some(AxisKind::Reduce), value),
                None => Entity::Hole,
            };
            self.define_axis(name, range, fact, entity);
        }
    }

    fn check_order_of_remap(&mut self, args: &[Arg]) {
        let [kinds, bindings, ..] = args else {
            return;
        };
        let [kinds, bindings] = [kinds, bindings].map(|it| &self.body.exprs[it.value]);
        if let (Expr::List(_) | Expr::Tuple(_), Expr::Str(_)) = (kinds, bindings)
            && args.iter().all(|it| it.keyword.is_none())
        {
            let message =
                "`T.axis.remap` takes the kinds of the axes first, and then the loop variables";
            self.report(Code::ArgumentType, self.range(args[0].value), message);
        }
    }

    /// Adds an axis over a loop variable.
    fn remapped(&mut self, name: &SmolStr, reduce: bool, value: tir::Expr) -> Entity {
        let range = value.range;
        let domain = match value.kind {
            ExprKind::Var(var) => self.loops.get(&var).cloned(),
            _ => None,
        };
        match domain {
            Some((min, extent)) => {
                let domain = (self.copy(&min, min.range), self.copy(&extent, extent.range));
                Entity::Var(self.add_axis(name, reduce, domain, value))
            }
            None => {
                self.refuse_whole(range, "`T.axis.remap` takes loop variables");
                Entity::Hole
            }
        }
    }

    /// Returns the loop variables that axes are bound to, or `None` if only Python knows their number.
    fn bindings(&mut self, at: ExprId) -> Option<Vec<Binding>> {
        let body = self.body;
        let range = self.range(at);
        let (Expr::Tuple(items) | Expr::List(items)) = &body.exprs[at] else {
            return match self.value(at) {
                Value::Items(items) => Some(items.into_iter().map(Binding::of).collect()),
                Value::Number(number) => Some(vec![Binding::of(self.bound_of(number))]),
                _ => None,
            };
        };
        let mut bindings = Some(Vec::with_capacity(items.len()));
        for &item in items {
            let range = self.range(item);
            if let Expr::Star(_) = body.exprs[item] {
                self.value(item);
                bindings = None;
                continue;
            }
            let def = match &body.exprs[item] {
                Expr::Name(name) => self.lookup(name),
                Expr::Binary { .. } | Expr::Int(_) => {
                    let message = "`T.axis.remap` takes loop variables: give the value of another axis to `T.axis.spatial` or `T.axis.reduce`";
                    self.report(Code::ArgumentValue, range, message);
                    None
                }
                _ => None,
            };
            let number = self.number(item);
            let expr = number.map(|it| self.bound_of(it));
            if let Some(bindings) = &mut bindings {
                bindings.push(Binding { range, def, expr });
            }
        }
        if bindings.is_none() {
            self.not_a_number(range);
        }
        bindings
    }

    fn bound_of(&mut self, number: Number) -> tir::Expr {
        let expr = self.strong(number);
        self.integer(expr)
    }

    /// Adds an axis to the block. Outside a block, the mistake is reported already.
    fn add_axis(
        &mut self,
        name: &SmolStr,
        reduce: bool,
        (min, extent): (tir::Expr, tir::Expr),
        value: tir::Expr,
    ) -> tir::VarId {
        // A literal takes the dtype of its domain.
        let dtype = if value.as_int().is_some() {
            extent.dtype
        } else {
            value.dtype
        };
        let value = arith::cast(value, dtype);
        let min = arith::cast(min, dtype);
        let var = self.var(name.clone(), dtype);
        let range = value.range;
        match self.blocks.last_mut() {
            Some(open) => open.block.iters.push(Iter {
                var,
                min,
                extent,
                value,
                reduce,
            }),
            None => self.refuse(range, "an axis belongs to a block"),
        }
        var
    }

    fn check_letters(&mut self, letters: &str, at: Option<TextRange>) {
        let unknown = letters.chars().find(|it| !matches!(it, 'S' | 'R'));
        if let (Some(unknown), Some(at)) = (unknown, at) {
            let message =
                format!("`{unknown}` is not a kind of axis: `S` is spatial, `R` is reduce");
            self.report(Code::ArgumentValue, at, message);
        }
    }

    fn define_axis(&mut self, name: &Named, range: TextRange, fact: AxisFact, entity: Entity) {
        if let Some(first) = self.defined_here(&name.text)
            && let def = self.facts.def(first)
            && matches!(def.kind, PrimDefKind::Axis(_))
            // The axes of one `T.axis.remap` are one mistake.
            && !self.is_reported(Code::Redefinition, range)
        {
            let at = def.name_range;
            let message = format!("the block already has an axis `{}`", name.text);
            self.report_with(
                Code::Redefinition,
                name.range,
                message,
                (at, "the first one"),
            );
        }
        self.define(name, range, PrimDefKind::Axis(fact), entity);
        if let Some(open) = self.blocks.last_mut() {
            open.has_axes = true;
        }
    }

    fn is_reported(&self, code: Code, within: TextRange) -> bool {
        let mut reported = self.facts.diagnostics.iter().rev();
        reported.any(|it| it.code == code && within.contains_range(it.range))
    }

    /// Reads a part of a block that TVM evaluates before it enters the block, such as the values of its axes.
    pub fn before_block<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let inside = std::mem::replace(&mut self.inside_block, false);
        let value = read(self);
        self.inside_block = inside;
        value
    }

    /// Returns `true` if TVM checks the well-formedness of the function while it reads it, as it does since 0.16.
    pub fn is_checked(&self) -> bool {
        self.around.checked && self.around.release > Release::Unity
    }

    /// Reports a loop variable in a block with axes that is inside the loop: a block knows its axes only.
    pub fn check_loop_variable(&mut self, id: PrimDefId, range: TextRange) {
        let def = self.facts.def(id);
        let is_certain = self.inside_block && self.is_checked() && self.unknown_frames == 0;
        if !is_certain || !matches!(def.kind, PrimDefKind::Loop(_)) {
            return;
        }
        let around = def.block;
        let inner = self.blocks.iter().rev();
        let mut inner = inner.take_while(|open| Some(open.id) != around);
        if inner.any(|open| open.has_axes) {
            let (name, at) = (def.name.clone(), def.name_range);
            let message = format!(
                "the loop variable `{name}` is outside of the block: use an axis of the block that is bound to it"
            );
            self.report_with(
                Code::UndefinedName,
                range,
                message,
                (at, "the loop variable"),
            );
        }
    }
}

/// A value of `T.axis.remap`.
struct Binding {
    range: TextRange,
    /// The definition, if the value is a name.
    def: Option<PrimDefId>,
    expr: Option<tir::Expr>,
}

impl Binding {
    fn of(expr: tir::Expr) -> Binding {
        Binding {
            range: expr.range,
            def: None,
            expr: Some(expr),
        }
    }
}

/// Returns the range of a string literal without its quotes, or the whole range if it has a prefix or escapes.
fn within_quotes(range: TextRange, text: &str) -> TextRange {
    let quotes = TextSize::new(1);
    if range.len() == TextSize::of(text) + quotes + quotes {
        TextRange::new(range.start() + quotes, range.end() - quotes)
    } else {
        range
    }
}
