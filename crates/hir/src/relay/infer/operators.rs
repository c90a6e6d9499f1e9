//! Operator calls: checks attributes against the operator's row and computes types by its relation, which may wait.

use relax::nearest_name;
use relax::relay::ops::Entry;
use relax::relay::{AttrDef, Mistake, Site, Stop, Type, Value, attribute};
use relax::{Code, Diagnostic};
use smol_str::SmolStr;

use super::super::body::{AttrValue, Attribute, Expr, ExprId};
use super::super::constants::{Attributes, Constants, attr_value, split_attributes};
use super::super::unknown_name::unknown_name;
use super::Infer;

/// The attribute by which a call names the type of its record of attributes.
const KEY: &str = "attrs_type_key";

/// An expression whose type depends on types that are not known yet.
pub(super) struct Waiting {
    pub expr: ExprId,
    pub out: Type,
    kind: Kind,
}

enum Kind {
    Operator {
        entry: &'static Entry,
        /// The attributes, if they are in the metadata.
        from_metadata: Option<Attributes>,
    },
    Field {
        tuple: ExprId,
        index: u32,
    },
}

impl Infer<'_> {
    pub(super) fn operator(
        &mut self,
        expr: ExprId,
        entry: &'static Entry,
        args: &[ExprId],
        attrs: &[Attribute],
    ) -> Type {
        let Expr::Call { callee, .. } = self.body[expr] else {
            return Type::Unknown;
        };
        let metadata = &self.env.metadata;
        let (args, from_metadata) = split_attributes(metadata, self.body, args, Some(entry));
        let is_whole = self.check_attributes(callee, entry, attrs, from_metadata.is_some());
        if !entry.op.is_variadic && !self.counts(expr, callee, entry.inputs.len(), args) {
            return Type::Unknown;
        }
        if !is_whole {
            return Type::Unknown;
        }
        let kind = Kind::Operator {
            entry,
            from_metadata,
        };
        let out = self.solver.hole();
        let waiting = Waiting { expr, out, kind };
        match self.attempt(&waiting) {
            Some(ty) => ty,
            None => {
                let out = waiting.out.clone();
                self.waiting.push(waiting);
                out
            }
        }
    }

    pub(super) fn wait_for_field(&mut self, expr: ExprId, tuple: ExprId, index: u32) -> Type {
        let out = self.solver.hole();
        self.waiting.push(Waiting {
            expr,
            out: out.clone(),
            kind: Kind::Field { tuple, index },
        });
        out
    }

    /// Tries the waiting relations again, until nothing more becomes known.
    pub(super) fn solve(&mut self) {
        while self.solved != self.solver.progress() && !self.waiting.is_empty() {
            self.solved = self.solver.progress();
            for waiting in std::mem::take(&mut self.waiting) {
                match self.attempt(&waiting) {
                    Some(ty) => self.unify_result(&waiting, &ty),
                    None => self.waiting.push(waiting),
                }
            }
        }
    }

    /// Sets the type that was waited for.
    pub(super) fn unify_result(&mut self, waiting: &Waiting, ty: &Type) {
        if let Err(differing) = self.solver.unify(&waiting.out, ty) {
            let message = format!(
                "this is {}, it is used as {}",
                differing.other, differing.one
            );
            self.differs(waiting.expr, message, &differing, None, &[]);
        }
    }

    /// Returns the type, if its inputs are known well enough.
    fn attempt(&mut self, waiting: &Waiting) -> Option<Type> {
        let expr = waiting.expr;
        match &waiting.kind {
            Kind::Field { tuple, index } => {
                let ty = self.ty(*tuple);
                match self.solver.shallow(&ty) {
                    Type::Hole(_) => None,
                    _ => Some(self.projection(expr, *tuple, Some(*index))),
                }
            }
            Kind::Operator {
                entry,
                from_metadata,
            } => self.relate(expr, entry, from_metadata.as_deref()),
        }
    }

    fn relate(
        &mut self,
        expr: ExprId,
        entry: &'static Entry,
        from_metadata: Option<&[(SmolStr, Value)]>,
    ) -> Option<Type> {
        let body = self.body;
        let Expr::Call { args, attrs, .. } = &body[expr] else {
            return Some(Type::Unknown);
        };
        let args = match (args.as_ref(), from_metadata) {
            ([inputs @ .., _], Some(_)) => inputs,
            (args, _) => args,
        };
        let types: Vec<Type> = args.iter().map(|it| self.resolved_type(*it)).collect();
        let answer = {
            let this = &*self;
            let constant = |at: usize| args.get(at).and_then(|it| this.constant(*it));
            let given = |name: &str| match from_metadata {
                Some(attrs) => attribute(attrs, name),
                None => this.written_attribute(attrs, name),
            };
            let site = Site {
                entry,
                types: &types,
                given: &given,
                constant: &constant,
            };
            (entry.op.relation)(&site)
        };
        match answer {
            Err(Stop::Wait) => None,
            Err(Stop::Unknown) => Some(Type::Unknown),
            Err(Stop::Wrong(mistake)) => {
                self.report_mistake(expr, args, *mistake);
                Some(Type::Unknown)
            }
            Ok(answer) => {
                for (at, wanted) in &answer.expects {
                    let Some(arg) = args.get(*at) else { continue };
                    let input = entry.inputs.get(*at).copied().unwrap_or("argument");
                    let name = entry.op.name;
                    self.expect_beside(wanted, *arg, args, |wanted, is| {
                        format!("`{input}` of `{name}` must be {wanted}, but is {is}")
                    });
                }
                Some(answer.out)
            }
        }
    }

    fn report_mistake(&mut self, expr: ExprId, args: &[ExprId], mistake: Mistake) {
        let body = self.body;
        let Expr::Call { attrs, .. } = &body[expr] else {
            return;
        };
        let attr = mistake
            .attr
            .and_then(|name| attrs.iter().find(|it| it.name.text == name));
        let inputs: Vec<ExprId> = mistake
            .inputs
            .iter()
            .filter_map(|it| args.get(*it).copied())
            .collect();
        let range = match (attr, inputs.as_slice()) {
            (Some(attr), _) => attr.range,
            (None, [one]) => body.range(*one),
            _ => body.range(expr),
        };
        let mut diagnostic = Diagnostic::new(mistake.code, range, mistake.message);
        diagnostic.differing = mistake.differing;
        self.report_with(diagnostic, &inputs);
    }

    /// Returns whether the attributes fit the row, so that a relation can read them.
    fn check_attributes(
        &mut self,
        callee: ExprId,
        entry: &'static Entry,
        attrs: &[Attribute],
        is_from_metadata: bool,
    ) -> bool {
        let key = attrs.iter().find(|it| it.name.text == KEY);
        let given = attrs.iter().filter(|it| it.name.text != KEY);
        let name = entry.op.name;
        if entry.attrs.is_empty() && key.is_some() {
            return true;
        }
        let mut is_whole = true;
        for attr in given {
            is_whole &= self.check_attribute(entry, attr);
        }
        if entry.op.key.is_some() && key.is_none() && !attrs.is_empty() {
            let message = format!("`{name}` needs `{KEY}` before its other attributes");
            let range = attrs[0].range;
            self.report(Diagnostic::new(Code::ArgumentCount, range, message));
            return false;
        }
        if is_from_metadata || entry.op.key.is_some() && attrs.is_empty() {
            return true;
        }
        let is_given = |row: &AttrDef| attrs.iter().any(|it| it.name.text == row.name);
        let missing = |row: &&AttrDef| row.default.is_none() && !is_given(row);
        // If an attribute has an unknown name, it was probably meant for the missing one.
        if is_whole && let Some(row) = entry.attrs.iter().find(missing) {
            let message = format!("`{name}` needs the attribute `{}`", row.name);
            let range = self.body.range(callee);
            self.report(Diagnostic::new(Code::ArgumentCount, range, message));
            is_whole = false;
        }
        is_whole
    }

    fn check_attribute(&mut self, entry: &'static Entry, attr: &Attribute) -> bool {
        let name = &attr.name.text;
        let Some(row) = entry.attr(name) else {
            let message = format!("`{}` has no attribute `{name}`", entry.op.name);
            let known = entry.attrs.iter().map(|it| it.name);
            let near = nearest_name::nearest_str(name, known).map(SmolStr::from);
            let range = attr.name.range;
            self.report(unknown_name(Code::UnknownArgument, range, message, near));
            return false;
        };
        let value = self.value(&attr.value);
        if !row.kind.takes(&value) {
            let is_dtype = matches!(
                (row.kind, &value),
                (relax::relay::AttrKind::DType, Value::Str(_))
            );
            let (code, message) = match &value {
                Value::Str(text) if is_dtype => {
                    (Code::UnknownDtype, format!("`{text}` is not a dtype"))
                }
                _ => (
                    Code::ArgumentValue,
                    format!("`{name}` takes {}", row.kind.description()),
                ),
            };
            let range = attr.range;
            self.report(Diagnostic::new(code, range, message));
            return false;
        }
        true
    }

    /// Returns an attribute that is written in a call.
    pub(super) fn written_attribute(&self, attrs: &[Attribute], name: &str) -> Option<Value> {
        let found = attrs.iter().find(|it| it.name.text == name);
        found.map(|it| self.value(&it.value))
    }

    fn value(&self, value: &AttrValue) -> Value {
        attr_value(&self.env.metadata, value)
    }

    /// Returns the value of an expression that is a constant scalar.
    fn constant(&self, expr: ExprId) -> Option<f64> {
        let (env, facts) = (self.env, &self.facts);
        Constants { env, facts }.scalar(self.body, expr)
    }
}
