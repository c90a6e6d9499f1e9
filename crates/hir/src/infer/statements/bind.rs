//! Infers bindings, and compares their annotations with their values.

use relax::diagnostics::{Code, Diagnostic, Severity};
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::sinfo::{Aspect, Callable, Fit, Mismatch, Prim, Shape, StructInfo, Tensor};
use relax::sym::SymExpr;
use relax::value::Value;
use text_size::TextRange;

use crate::body::{Expr, ExprId, Name, Target};
use crate::facts::{ArgFact, Def, VarFact, VarId, VarKind};
use crate::incremental::state::Outputs;
use crate::infer::reports::mismatch::because;
use crate::infer::{Infer, Local};

impl Infer<'_> {
    pub(in crate::infer) fn assign(
        &mut self,
        target: &Target,
        expr: ExprId,
        value: Value,
        annotation: Option<(ExprId, StructInfo)>,
        range: TextRange,
    ) {
        match target {
            Target::Name(name) => {
                self.check_fields_of_axes(expr);
                self.assign_name(name, expr, value, annotation, range);
            }
            Target::Tuple(targets, at) => self.unpack(targets, *at, expr, value, range),
            Target::Place(place) => {
                let reported = self.facts.diagnostics.len();
                self.expr(*place);
                self.facts.diagnostics.truncate(reported);
                self.unsupported(range, "an assignment to anything but a name");
            }
        }
    }

    fn assign_name(
        &mut self,
        name: &Name,
        expr: ExprId,
        value: Value,
        annotation: Option<(ExprId, StructInfo)>,
        range: TextRange,
    ) {
        if let Some(dtype) = self.declares_shape_var(expr) {
            self.declare_shape_var(name, dtype);
            self.check_declared(name, dtype, annotation);
            return;
        }
        if let Value::MatchCast(cast) = value {
            if let Some((at, annotation)) = annotation {
                self.check_cast_annotation(name, at, &annotation, &cast.target);
            }
            self.bind_match_cast(name, expr, &cast, range);
            return;
        }
        self.check_stays_in_python(expr);
        if let Some((_, annotation)) = &annotation {
            self.know_metadata(expr, annotation);
        }
        let inferred = match (&annotation, &value) {
            // A number that is annotated as a scalar is a scalar, not a tensor.
            (
                Some((_, prim @ StructInfo::Prim(_))),
                Value::Int(_) | Value::Float(_) | Value::Bool(_),
            ) if self.is_type_dialect() => Some(prim.clone()),
            // In the RFC, a tuple may be a shape: `s: R.Shape = (n * m,)`.
            (Some((_, StructInfo::Shape(_))), Value::List(dims))
                if self.cx.release.dialect() == Dialect::Rfc =>
            {
                let known: Option<Vec<SymExpr>> = dims.iter().map(Value::sym).collect();
                let shape = known.map(|dims| Shape::Known(dims.into()));
                Some(StructInfo::Shape(
                    shape.unwrap_or(Shape::Unknown(Some(dims.len()))),
                ))
            }
            _ => self.bound_struct_info(expr, &value),
        };
        match inferred {
            Some(inferred) => {
                self.bind_var(name, expr, inferred, annotation, range);
            }
            // Values that stay in Python: `cls = Module`, a string, an attribute.
            None => {
                self.check_renamed_shape_var(name, expr);
                if let Some((annotation, sinfo)) = annotation
                    && !value.is_unknown()
                {
                    let message = format!(
                        "`{}` cannot be annotated: its value is not a Relax expression",
                        name.text
                    );
                    let range = self.range(annotation);
                    if !sinfo.is_unknown() {
                        self.report(Code::InvalidAnnotation, range, message);
                    }
                }
                self.bind_local(name.text.clone(), Local::Value(value));
            }
        }
    }

    /// Reports a function of Python where a Relax value belongs: `lambda: R.add(x, y)`, `R.add, x`.
    fn check_stays_in_python(&mut self, expr: ExprId) {
        match &self.body.exprs[expr] {
            Expr::Lambda(_) => {
                let range = self.range(expr);
                self.unsupported(range, "a lambda as the value of a variable");
            }
            Expr::Tuple(items) => {
                let is_function = |at: &&ExprId| matches!(self.facts.value(**at), Value::Script(path) if !path.rest.is_empty());
                if let Some(&at) = items.iter().find(is_function) {
                    let message = "this is a function of Python, not a Relax value: call it";
                    let range = self.range(at);
                    self.report(Code::ArgumentType, range, message);
                }
            }
            _ => {}
        }
    }

    /// Reports a second name for a shape variable, which TVM refuses until 0.25 (`bind_assign_value` in its
    /// `relax/parser.py`).
    fn check_renamed_shape_var(&mut self, name: &Name, expr: ExprId) {
        if self.cx.release.dialect() == Dialect::StructInfo
            && let Some(Def::Sym(_)) = self.facts.def(expr)
            && let Value::Sym(sym) = self.facts.value(expr)
            && let Some(var) = sym
                .as_var()
                .filter(|it| !it.is_python() && it.name != name.text)
        {
            let message = format!(
                "until TVM 0.25, the shape variable `{}` cannot have a second name",
                var.name
            );
            self.report(Code::UnsupportedStatement, name.range, message);
        }
    }

    /// Returns the StructInfo of a tuple literal. Functions of the module have the StructInfo of their signatures.
    pub(in crate::infer) fn tuple_struct_info(&self, items: &[Value]) -> StructInfo {
        let field = |item: &Value| match item {
            Value::Global(name) => self.cx.globals.get(name).map(|g| g.struct_info.0),
            Value::List(items) => Some(self.tuple_struct_info(items)),
            item => item.struct_info(),
        };
        let fields: Option<Vec<StructInfo>> = items.iter().map(field).collect();
        fields.map_or(StructInfo::Unknown, StructInfo::tuple)
    }

    /// Returns `true` if a parameter of the function has a dimension with this name.
    pub(in crate::infer) fn is_dimension(&self, name: &str) -> bool {
        let Some(index) = self.frames.last().map(|f| f.index) else {
            return false;
        };
        let mut dimension = false;
        for &param in &self.function(index).params {
            let sinfo = self.var(param).struct_info;
            let named = |dims: Option<&[SymExpr]>| {
                dims.is_some_and(|dims| {
                    dims.iter()
                        .any(|d| d.as_var().is_some_and(|v| v.name == name))
                })
            };
            match sinfo {
                StructInfo::Prim(prim)
                    if prim
                        .value
                        .as_ref()
                        .and_then(SymExpr::as_var)
                        .is_some_and(|v| v.name == name) =>
                {
                    return false;
                }
                StructInfo::Tensor(tensor) => dimension |= named(tensor.dims()),
                StructInfo::Shape(shape) => dimension |= named(shape.values()),
                _ => {}
            }
        }
        dimension
    }

    /// Returns the StructInfo of an assigned value; `None` if the value stays in Python.
    pub(in crate::infer) fn bound_struct_info(
        &mut self,
        expr: ExprId,
        value: &Value,
    ) -> Option<StructInfo> {
        Some(match value {
            Value::Expr(StructInfo::Prim(_))
                if self.cx.release.dialect() == Dialect::StructInfo && self.is_of_python(expr) =>
            {
                return None;
            }
            Value::Expr(sinfo) => sinfo.clone(),
            Value::ShapeVar { shape, .. } => StructInfo::Shape(shape.clone()),
            Value::DType(_) => StructInfo::Object,
            _ if self.is_meta_var(expr) => return None,
            // `T.int64(4)` is a scalar variable. Until TVM 0.25, it is a number that stays in Python.
            Value::Int(_) | Value::Float(_) | Value::Bool(_) if self.tir_dtype(expr).is_some() => {
                if self.cx.release.dialect() == Dialect::StructInfo {
                    return None;
                }
                StructInfo::prim(self.tir_dtype(expr)?)
            }
            Value::Int(_) => Tensor::new([], Some(DType::I32)).into(),
            Value::Float(_) => Tensor::new([], Some(DType::F32)).into(),
            Value::Bool(_) => Tensor::new([], Some(DType::BOOL)).into(),
            Value::List(items) if self.makes_tuple(expr) => {
                self.check_fields(expr);
                self.tuple_struct_info(items)
            }
            // An alias in the StructInfo dialect, a binding in the Type dialect.
            Value::Sym(_) if self.is_type_dialect() => value.struct_info()?,
            Value::Unknown => StructInfo::Unknown,
            Value::Extern(_) => Callable::opaque(),
            Value::Global(name) => self
                .cx
                .globals
                .get(name)
                .map_or(StructInfo::Unknown, |g| g.struct_info.0),
            _ => return None,
        })
    }

    /// Returns `true` if the expression is a Python tuple rather than a list.
    fn makes_tuple(&self, expr: ExprId) -> bool {
        match &self.body.exprs[expr] {
            Expr::Tuple(_) => true,
            Expr::Subscript { base, index } => match self.body.exprs[*index] {
                Expr::Slice { .. } => self.makes_tuple(*base),
                _ => self
                    .literal_field(*base, *index)
                    .is_some_and(|it| self.makes_tuple(it)),
            },
            _ => false,
        }
    }

    /// Returns the expression that an index selects from a tuple literal: `(x,)` for `((x,),)[0]`.
    fn literal_field(&self, base: ExprId, index: ExprId) -> Option<ExprId> {
        let base = match &self.body.exprs[base] {
            Expr::Subscript { base, index } => self.literal_field(*base, *index)?,
            _ => base,
        };
        let (Expr::Tuple(fields), Value::Int(index)) =
            (&self.body.exprs[base], self.facts.value(index))
        else {
            return None;
        };
        let end = if *index < 0 { fields.len() } else { 0 };
        let index = usize::try_from(*index + end as i64).ok()?;
        fields.get(index).copied()
    }

    /// Binds a Relax variable, and compares its annotation with its value.
    fn bind_var(
        &mut self,
        name: &Name,
        expr: ExprId,
        inferred: StructInfo,
        annotation: Option<(ExprId, StructInfo)>,
        range: TextRange,
    ) {
        let annotated = annotation.is_some();
        let (struct_info, contradicted) = match annotation {
            Some((at, annotation)) => {
                let own = inferred.clone();
                let (result, contradicted) = self.annotated(name, expr, inferred, annotation, at);
                // TVM drops the annotation if the value keeps its own StructInfo.
                if result == own {
                    self.check_inferred_vars(&result, expr);
                } else {
                    self.check_sym_vars(&result, self.range(at));
                }
                (result, contradicted)
            }
            None => {
                self.check_inferred_vars(&inferred, expr);
                (inferred, false)
            }
        };
        let kind = self.kind_of_binding();
        let var = self.emit(name, Some(expr), struct_info, kind, annotated, range);
        if let (true, Some(fact)) = (contradicted, self.var_mut(var)) {
            fact.contradicted = true;
        }
    }

    /// Returns the kind of the variables that are bound here.
    pub(in crate::infer) fn kind_of_binding(&self) -> VarKind {
        if self.in_dataflow() {
            VarKind::Dataflow
        } else {
            VarKind::Var
        }
    }

    /// In the Type dialect, a bound integer becomes a new shape variable.
    fn as_variable(&mut self, sinfo: StructInfo, name: &Name) -> StructInfo {
        if let (Dialect::Type, StructInfo::Prim(prim)) = (self.cx.release.dialect(), &sinfo)
            && prim.dtype.is_some_and(relax::dtype::DType::is_int)
        {
            let var = self.own_sym(&name.text);
            self.mention_at(&var, name.range);
            self.bind_sym(&var, name.range);
            return StructInfo::Prim(Prim {
                dtype: prim.dtype,
                value: Some(SymExpr::var(var)),
            });
        }
        sinfo
    }

    /// Returns the StructInfo of an annotated variable. Reports it if the annotation contradicts the value.
    fn annotated(
        &mut self,
        name: &Name,
        expr: ExprId,
        inferred: StructInfo,
        annotation: StructInfo,
        at: ExprId,
    ) -> (StructInfo, bool) {
        if inferred.is_unknown() {
            return (annotation, false);
        }
        // TVM accepts a device that contradicts the inferred one.
        let provable = inferred
            .mismatches(&annotation, &self.sym)
            .iter()
            .any(|m| m.fit == Fit::Never && m.aspect != Aspect::VDevice);
        let renewed = self.is_renewed(expr);
        if provable {
            let release = self.cx.release;
            let differs = inferred.worst_mismatch(&annotation, &self.sym);
            let message = format!(
                "`{}` is annotated `{}`, but its value is `{}`{}",
                name.text,
                annotation.quoted(release.dialect()),
                inferred.quoted(release.dialect()),
                differs.as_ref().map_or_else(String::new, because)
            );
            let value = self.range(expr);
            let mismatched_part = differs.as_ref().map(|m| self.mismatched_part(at, m));
            let at = mismatched_part.unwrap_or_else(|| self.range(at));
            let differing = differs.as_ref().and_then(Mismatch::differing);
            let differs = differs.map_or_else(|| "the value".to_owned(), |m| m.to_string());
            let mut diagnostic = Diagnostic::new(Code::AnnotationMismatch, at, message);
            diagnostic.related.push((value, differs));
            if let Some((_, found)) = &differing {
                self.add_sources(expr, found, &mut diagnostic);
            }
            diagnostic.differing = differing;
            if renewed || !release.compares_struct_info() {
                diagnostic.severity = Severity::Warning;
            }
            self.facts.diagnostics.push(diagnostic);
            if renewed {
                return (inferred, false);
            }
            return (annotation, self.cx.checked);
        }
        // TVM uses the annotation of a call unchanged; any other value keeps its own StructInfo.
        let call = matches!(
            self.body.exprs[expr],
            Expr::Call { .. } | Expr::Binary { .. } | Expr::Unary { .. } | Expr::Compare { .. }
        );
        let is_certain = !annotation.is_unknown() && call && !renewed && !self.is_fully_given(expr);
        if is_certain {
            (with_known_dtype(annotation, &inferred), false)
        } else {
            (inferred, false)
        }
    }

    /// Adds the variables in the value that have the dimension or dtype `found` to the diagnostic.
    fn add_sources(&self, value: ExprId, found: &str, diagnostic: &mut Diagnostic) {
        let mut exprs = match self.facts.call(value) {
            Some(call) => call.args.iter().flat_map(ArgFact::exprs).copied().collect(),
            None => vec![value],
        };
        let mut seen = Vec::new();
        while let Some(expr) = exprs.pop() {
            if let Expr::Tuple(items) | Expr::List(items) = &self.body.exprs[expr] {
                exprs.extend(items);
                continue;
            }
            let Some(Def::Var(var)) = self.facts.def(expr) else {
                continue;
            };
            let tensor = self.var(*var).struct_info.as_tensor();
            let has_it = tensor.is_some_and(|tensor| {
                let mut dims = tensor.dims().into_iter().flatten();
                let dtype = tensor.dtype.map(|it| it.to_string());
                dtype.as_deref() == Some(found) || dims.any(|dim| dim.to_string() == found)
            });
            if has_it && !seen.contains(var) {
                seen.push(*var);
                self.add_origin(expr, diagnostic);
            }
        }
    }

    /// Returns `true` for a field of a Relax tuple: `t[0]`.
    fn takes_field(&self, expr: ExprId) -> bool {
        matches!(&self.body.exprs[expr], Expr::Subscript { base, .. }
            if matches!(self.facts.value(*base), Value::Expr(StructInfo::Tuple(_))))
    }

    /// Returns `true` if TVM's normalizer replaces the call, and so loses its annotation: if an operand is itself a
    /// call, or if the operator adds operands.
    fn is_renewed(&self, expr: ExprId) -> bool {
        let Some(call) = self.facts.call(expr) else {
            return false;
        };
        let is_call = |expr: &ExprId| self.facts.call(*expr).is_some() || self.takes_field(*expr);
        let fills_in = self.is_type_dialect()
            && call.op.0.script() == "memory.view"
            && call.args.contains(&ArgFact::Absent);
        fills_in
            || call.args.iter().any(|arg| match arg {
                ArgFact::Absent => false,
                ArgFact::One(expr) => match &self.body.exprs[*expr] {
                    Expr::Tuple(items) | Expr::List(items) => items.iter().any(is_call),
                    _ => is_call(expr),
                },
                ArgFact::Many(exprs) => exprs.iter().any(is_call),
            })
    }

    pub(in crate::infer) fn emit(
        &mut self,
        name: &Name,
        value: Option<ExprId>,
        struct_info: StructInfo,
        kind: VarKind,
        annotated: bool,
        range: TextRange,
    ) -> VarId {
        let struct_info = self.as_variable(struct_info, name);
        let function = self.frame().index;
        let in_dataflow = self.in_dataflow();
        if in_dataflow && self.cx.release.checks_types_in_dataflow() {
            self.check_type_in_block(&struct_info, &name.text, name.range);
        }
        let dtype = value.and_then(|value| match self.facts.value(value) {
            Value::DType(text) => Some(Box::new(text.clone())),
            _ => None,
        });
        let var = self.new_var(VarFact {
            name: name.text.clone(),
            name_range: name.range,
            range,
            kind,
            struct_info: self.base.shared(struct_info),
            function,
            in_dataflow,
            annotated,
            value,
            dtype,
            contradicted: false,
        });
        if name.is_written() {
            self.note_rebound(&name.text);
            self.bind_local(name.text.clone(), Local::Var(var));
        }
        let mut after_output = None;
        if let Some(scope) = self.scopes.last_mut() {
            scope.last = Some(var);
            if let Some(dataflow) = &mut scope.dataflow {
                dataflow.emitted.insert(var);
                // If the name in `R.output` is undefined, the statement may only be too early.
                let is_clear = Outputs::of(&dataflow.outputs) != Outputs::Unclear;
                after_output = (dataflow.ended && is_clear).then_some(dataflow.range);
            }
        } else if let Some(range) = self.base.dataflow() {
            self.facts.emitted = true;
            let has_ended = self.base.has_ended(&self.facts);
            let is_clear = !self.base.has_unclear_output(&self.facts);
            after_output = (has_ended && is_clear).then_some(range);
        }
        if after_output.is_some() {
            self.report(
                Code::BindingAfterOutput,
                range,
                "a dataflow block ends with `R.output`: nothing can be bound after it",
            );
        }
        var
    }
}

/// Returns the annotation. If its dtype is only known to Python, uses the dtype of the value.
fn with_known_dtype(annotation: StructInfo, inferred: &StructInfo) -> StructInfo {
    match (annotation, inferred.as_tensor()) {
        (StructInfo::Tensor(tensor), Some(value)) if tensor.known_dtype().is_none() => {
            let dtype = tensor
                .dtype
                .and_then(|written| value.dtype.or(Some(written)));
            StructInfo::Tensor(Tensor { dtype, ..tensor })
        }
        (annotation, _) => annotation,
    }
}
