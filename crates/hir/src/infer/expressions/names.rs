//! Infers names and attributes: variables, shape variables, module functions, Python names.

use relax::bare::{self, bare_annotation, bare_name};
use relax::diagnostics::{Code, Diagnostic};
use relax::dialect::Dialect;
use relax::nearest_name::did_you_mean;
use relax::release::Release;
use relax::script::{METADATA, Namespace, ScriptPath, unbound_path};
use relax::sinfo::StructInfo;
use relax::sym::SymExpr;
use relax::value::Value;
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Expr, ExprId};
use crate::enclosing::{BUILTINS, Declared, PyValue};
use crate::facts::{Def, VarId, VarKind};
use crate::incremental::state::Outputs;
use crate::infer::expressions::plain::python_value;
use crate::infer::{Infer, Local};

impl Infer<'_> {
    pub(in crate::infer) fn name(&mut self, expr: ExprId, name: &SmolStr) -> Value {
        if let Some(local) = self.lookup(name) {
            return match local {
                Local::Var(var) => {
                    self.is_used(var);
                    self.def(expr, Def::Var(var));
                    self.check_captured(expr, var);
                    self.check_parameter(expr, name);
                    let value = self.var_value(var);
                    self.check_outermost_name(expr, name, var);
                    // A dimension is not negative, but a scalar may be.
                    if let Value::Expr(StructInfo::Prim(prim)) = &value
                        && let Some(SymExpr::Var(scalar)) = &prim.value
                    {
                        self.sym.assume_signed(scalar);
                    }
                    value
                }
                Local::Sym(owner) => {
                    let range = self.range(expr);
                    self.check_quoted(name, range);
                    Value::Sym(SymExpr::var(self.mention_of(owner, expr, name, range)))
                }
                Local::Value(value) => value,
            };
        }
        if let Some(value) = self.report_ended_block(expr, name) {
            return value;
        }
        if self.is_own_name(name) {
            self.own_name(expr, name);
            return Value::Unknown;
        }
        if self.names_shape_var(name) {
            let range = self.range(expr);
            return Value::Sym(SymExpr::var(self.mention(expr, name, range)));
        }
        if let Some(value) = self.cx.env.get(name) {
            return self.name_of_python_value(expr, name, value);
        }
        if self.cx.module == Some(name.as_str()) {
            return Value::Module;
        }
        if let Some(path) = unbound_path(name) {
            return Value::Script(path);
        }
        if let Some(path) = bare_annotation(name, self.cx.release) {
            return Value::Script(path);
        }
        if !self.cx.release.names_modules() && self.cx.globals.get(name).is_some() {
            let before = self.facts.diagnostics.len();
            if self.may_be_newer() {
                self.undefined(expr, name);
            }
            self.turn_into_warnings(before);
            self.def(expr, Def::Global(name.clone()));
            return Value::Global(name.clone());
        }
        if self.cx.release.dialect() == Dialect::Rfc
            && self.frames.last().is_some_and(|f| f.implicit_dims)
        {
            let range = self.range(expr);
            return Value::Sym(SymExpr::var(self.mention(expr, name, range)));
        }
        if BUILTINS.contains(&name.as_str()) || self.cx.env.may_have_more() || name.is_empty() {
            return Value::Unknown;
        }
        if let Some(path) = bare_name(name, self.cx.release) {
            return Value::Script(path);
        }
        self.undefined(expr, name);
        Value::Unknown
    }

    /// Infers a name that the Python code around the function binds.
    fn name_of_python_value(&mut self, expr: ExprId, name: &SmolStr, value: &PyValue) -> Value {
        match value {
            PyValue::ShapeVar(var, declared) => {
                let range = self.range(expr);
                let var = if var.is_empty() { name } else { var };
                let mention = self.mention(expr, var, range);
                match declared {
                    Declared::TypeVar if var != name => {
                        let why = format!(
                            "is declared as `TypeVar(\"{var}\")`: a TypeVar must have the name of the variable that it is assigned to"
                        );
                        self.wrong_type_var(name, &mention, &why, range);
                    }
                    Declared::Mistaken(why) => self.wrong_type_var(name, &mention, why, range),
                    Declared::TypeVar | Declared::Var => {}
                }
                Value::Sym(SymExpr::var(mention))
            }
            PyValue::IrModule(class) if Some(class.as_str()) == self.cx.module => Value::Module,
            PyValue::Lambda(script) => {
                self.def(expr, Def::Python(name.clone()));
                let written = (&script.body, script.body.exprs.own_len());
                let read = |inner: &mut Infer<'_>| inner.expr(script.expr);
                let value = self.read_elsewhere(expr, written, self.cx, read);
                value.map_or(Value::Unknown, |(value, _)| value)
            }
            value => {
                self.def(expr, Def::Python(name.clone()));
                python_value(value)
            }
        }
    }

    /// Reports a parameter that uses a shape variable which only a string of another parameter defines: TVM defines it
    /// after all parameters.
    fn check_quoted(&mut self, name: &SmolStr, range: TextRange) {
        if !self.is_undefined_in_params(name) || self.frame().type_params.contains(name) {
            return;
        }
        let message = format!(
            "`{name}` is defined only after the parameters: write this dimension in quotes too"
        );
        self.report(Code::UndefinedName, range, message);
    }

    /// Returns `true` while the parameters are read, if nothing around the function has this name.
    fn is_undefined_in_params(&mut self, name: &SmolStr) -> bool {
        self.is_outermost()
            && self.frame().in_params
            && self.cx.release.dialect() != Dialect::Rfc
            && self.cx.env.get(name).is_none()
            && !self.cx.env.may_have_more()
    }

    /// Reports a parameter whose annotation uses another parameter.
    fn check_parameter(&mut self, expr: ExprId, name: &SmolStr) {
        if self.is_undefined_in_params(name) {
            let message = format!(
                "`{name}` is a parameter, which is defined only after all annotations of parameters"
            );
            let range = self.range(expr);
            self.report(Code::UndefinedName, range, message);
        }
    }

    /// Returns `true` for the name of the function itself, if it is outside of a module. TVM's parser gives this name
    /// to a variable that nothing binds.
    fn is_own_name(&self, name: &SmolStr) -> bool {
        self.cx.module.is_none()
            && self.depth == 0
            && self.cx.release.dialect() != Dialect::Rfc
            && self.frames.first().is_some_and(|it| !it.in_signature)
            && self.function(0).name == *name
    }

    fn own_name(&mut self, expr: ExprId, name: &SmolStr) {
        let reported = self.facts.diagnostics.len();
        let message = format!(
            "`{name}` is not defined in itself: only a function of a module can call itself, as `cls.{name}`"
        );
        let range = self.range(expr);
        self.report(Code::UndefinedName, range, message);
        self.mark_as_form_errors(reported);
    }

    /// Infers a function name without its module. The parser of 2022 took any name for a function of the module.
    pub(in crate::infer) fn function_name(&mut self, expr: ExprId) -> Value {
        let reported = self.facts.diagnostics.len();
        let value = self.expr(expr);
        if self.cx.release == Release::Rfc && matches!(self.body.exprs[expr], Expr::Name(_)) {
            let is_undefined = |it: &Diagnostic| it.code == Code::UndefinedName;
            let mut at = 0;
            self.facts.diagnostics.retain(|it| {
                at += 1;
                at <= reported || !is_undefined(it)
            });
        }
        if let Expr::Name(name) = &self.body.exprs[expr]
            && let Some(last) = self.facts.diagnostics.get_mut(reported)
            && last.code == Code::UndefinedName
            && last.about.as_ref() == Some(name)
            && self.cx.globals.get(name).is_none()
            && let Some(written) = bare::with_letter(name, Namespace::Relax, self.cx.release)
        {
            last.message = format!("`{name}` is not defined: write `{written}`");
            last.instead = Some((last.range, written));
        }
        value
    }

    /// Reports a local function with the name of the function that contains it: TVM resolves the name to the outer
    /// one.
    fn check_outermost_name(&mut self, expr: ExprId, name: &SmolStr, var: VarId) {
        let fact = self.var(var);
        if fact.kind != VarKind::Function || fact.function != 0 || self.function(0).name != *name {
            return;
        }
        let (range, bound) = (self.range(expr), fact.name_range);
        let reported = self.facts.diagnostics.len();
        let message = format!(
            "`{name}` is also the name of the enclosing function: give the local function another name"
        );
        self.report(Code::Redefinition, range, message)
            .related
            .push((bound, "the local function".to_owned()));
        self.mark_as_form_errors(reported);
    }

    /// Returns `true` if the file may look like one of the unity branch only because of an error.
    pub(in crate::infer) fn may_be_newer(&self) -> bool {
        self.cx.release == Release::Unity && !self.cx.has_target
    }

    /// Reports a captured variable whose type uses shape variables of another function, which is an error before TVM
    /// 0.26.
    fn check_captured(&mut self, expr: ExprId, var: VarId) {
        if self.cx.release.dialect() == Dialect::StructInfo
            && !self.is_outermost()
            && self.var(var).function != self.frame().index
        {
            let sinfo = self.var(var).struct_info.clone();
            let range = self.range(expr);
            for var in sinfo.vars_of_callables() {
                self.bind_sym(&var, range);
            }
            self.check_sym_vars(&sinfo, range);
        }
    }

    /// Reports a variable of a dataflow block that has ended.
    fn report_ended_block(&mut self, expr: ExprId, name: &SmolStr) -> Option<Value> {
        let (var, block, outputs) = self.var_of_ended_block(name)?;
        self.is_used(var);
        self.def(expr, Def::Var(var));
        let bound = (self.var(var).name_range, format!("`{name}` is bound here"));
        let of_block = (block, "the dataflow block".to_owned());
        // The wrong part, the variable or its block, comes first.
        let (message, related) = match outputs {
            Outputs::Some => (
                format!(
                    "`{name}` is a dataflow var: it is not among the outputs of its dataflow block"
                ),
                [bound, of_block],
            ),
            Outputs::None => (
                format!("`{name}` is a dataflow var, and its dataflow block has no `R.output`"),
                [of_block, bound],
            ),
            Outputs::Unclear => return Some(self.var_value(var)),
        };
        let range = self.range(expr);
        self.report(Code::DataflowVarOutsideBlock, range, message)
            .related
            .extend(related);
        // The block's missing output is the same mistake, so report it once.
        let mut reported = self.facts.diagnostics.iter();
        let missing = reported.rposition(|d| d.code == Code::MissingOutput && d.range == block);
        if let Some(missing) = missing {
            self.facts.diagnostics.remove(missing);
        }
        self.facts.withdrawn.push(block);
        Some(self.var_value(var))
    }

    /// Returns the value of a variable where it is used.
    fn var_value(&self, var: VarId) -> Value {
        let fact = self.var(var);
        if fact.contradicted {
            return Value::Unknown;
        }
        match fact.struct_info {
            StructInfo::Shape(shape) => Value::ShapeVar {
                name: fact.name.clone(),
                id: var.0,
                shape: shape.clone(),
            },
            // `d = R.dtype("float32")` stays a dtype.
            StructInfo::Object => match self.base.dtype_of(var, &self.facts) {
                Some(dtype) => Value::DType(dtype),
                None => Value::Expr(StructInfo::Object),
            },
            sinfo => Value::Expr(sinfo.clone()),
        }
    }

    /// Returns `true` if an unbound name is a shape variable, as in the RFC's dialect, where a shape introduces it.
    fn names_shape_var(&self, name: &SmolStr) -> bool {
        self.cx.release.dialect() == Dialect::Rfc
            && self.knows_sym(name)
            && self.cx.env.get(name).is_none()
    }

    fn undefined(&mut self, expr: ExprId, name: &SmolStr) {
        // In 2022, TVM printed `meta[relay.Constant][0]`.
        let is_of_rfc = self.cx.release == Release::Rfc;
        if name == METADATA || is_of_rfc && matches!(name.as_str(), "_" | "meta" | "relay") {
            return;
        }
        let range = self.range(expr);
        let mut near = None;
        let message = if self.cx.globals.get(name).is_some() {
            let module = match self.lookup("cls") {
                Some(Local::Value(Value::Module)) => "cls",
                _ => self.cx.module.unwrap_or("cls"),
            };
            format!("`{name}` is a function of the module: write `{module}.{name}`")
        } else if let Some(written) = bare::quoted_dtype(name) {
            let message = format!("`{name}` is not defined: write `{written}`");
            near = Some(written);
            message
        } else {
            near = self.nearest_name(name);
            format!("`{name}` is not defined{}", did_you_mean(near.as_ref()))
        };
        let diagnostic = self.report(Code::UndefinedName, range, message);
        diagnostic.about = Some(name.clone());
        diagnostic.instead = near.map(|near| (range, near));
    }

    pub(in crate::infer) fn attribute(
        &mut self,
        expr: ExprId,
        base: ExprId,
        name: &crate::body::Name,
    ) -> Value {
        match self.expr(base) {
            // `relax.op.add` is `relax.add`.
            Value::Script(path)
                if path.namespace == Namespace::Python
                    && path.rest.is_empty()
                    && name.text == "op" =>
            {
                Value::Script(path)
            }
            Value::Script(path) => {
                self.check_script_name(&path, name);
                // `relax.op.add` builds what `R.add` does.
                let is_op = path.namespace == Namespace::Python && path.rest == "op";
                let rest = if path.rest.is_empty() || is_op {
                    name.text.clone()
                } else {
                    SmolStr::from(format!("{}.{}", path.rest, name.text))
                };
                Value::Script(ScriptPath { rest, ..path })
            }
            Value::Module => self.global(expr, &name.text, name.range),
            value => {
                if let Some(field) = self.tensor_field(expr, base, &name.text) {
                    return field;
                }
                self.check_attribute(base, &value, name);
                Infer::value_attribute(&value, &name.text)
            }
        }
    }

    fn global(&mut self, expr: ExprId, name: &SmolStr, range: TextRange) -> Value {
        if self.cx.globals.get(name).is_some() {
            self.def(expr, Def::Global(name.clone()));
            return Value::Global(name.clone());
        }
        if name.is_empty() {
            return Value::Unknown;
        }
        let near = self.cx.globals.names().nearest(name);
        let hint = did_you_mean(near.as_ref());
        let message = format!("the module has no function `{name}`{hint}");
        let diagnostic = self.report(Code::UndefinedFunction, range, message);
        diagnostic.about = Some(name.clone());
        diagnostic.instead = near.map(|near| (range, near));
        Value::Unknown
    }
}
