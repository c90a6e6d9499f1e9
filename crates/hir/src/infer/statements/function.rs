//! Infers functions: signature, body, result, purity.

use relax::diagnostics::Code;
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::release::Release;
use relax::sinfo::{Prim, StructInfo};
use relax::sym::SymExpr;
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{self, Expr, ExprId, ParamKind};
use crate::decorators;
use crate::facts::{FunctionFact, VarFact, VarId, VarKind};
use crate::incremental::compose::Conclusion;
use crate::infer::annotations::dims::names_in_strings;
use crate::infer::{Frame, Infer, Local, Scope};

impl Infer<'_> {
    /// Infers the header of the outermost function.
    pub(in crate::infer) fn root(&mut self) {
        let function = &self.body.function;
        self.begin(function, function.name.text.clone(), None);
    }

    /// Infers a local function, and binds it as a value.
    pub(in crate::infer) fn local_function(&mut self, function: &body::Function, range: TextRange) {
        let outer = self.frames.last().map_or(0, |f| f.index);
        let path = SmolStr::from(format!(
            "{}.{}",
            self.function(outer).name,
            function.name.text
        ));
        self.check_local(function);
        // The variable exists before its body is read, since the function may call itself.
        let var = self.new_var(VarFact {
            name: function.name.text.clone(),
            name_range: function.name.range,
            range,
            kind: VarKind::Function,
            struct_info: self.base.shared(StructInfo::Unknown),
            function: outer,
            in_dataflow: self.in_dataflow(),
            annotated: true,
            value: None,
            dtype: None,
            contradicted: false,
        });
        self.bind_local(function.name.text.clone(), Local::Var(var));
        self.begin(function, path, Some(outer));
        let index = self.frame().index;
        let declared = self.function(index).annotated_ret.clone();
        self.function_mut(index).ret = declared.unwrap_or(StructInfo::tuple([]));
        self.set_callable(var, index);
        self.block(&function.body);
        self.end(function);
        // The variable of a recursive function exists before its body, so it is not a dataflow variable.
        let is_recursive = self.facts.used.contains(&var);
        if let (true, Some(fact)) = (is_recursive, self.var_mut(var)) {
            fact.in_dataflow = false;
        }
        self.set_callable(var, index);
        if self.cx.release.dialect() == Dialect::StructInfo {
            self.leak_bound(index);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.last = Some(var);
            if let Some(dataflow) = &mut scope.dataflow {
                dataflow.emitted.insert(var);
            }
        } else {
            self.facts.emitted = true;
        }
    }

    /// Checks the decorator of a local function, and that its name is unique.
    fn check_local(&mut self, function: &body::Function) {
        let name = &function.name;
        if function.decorators.is_empty() && self.cx.release.dialect() != Dialect::Rfc {
            let message = format!(
                "`{}` needs `@R.function`: a local function must be a Relax function",
                name.text
            );
            self.report(Code::UnsupportedStatement, name.range, message);
        }
        let mut decorators = function.decorators.iter();
        let misspelt = decorators.find_map(|it| decorators::misspelt(self.body, *it, self.cx.env));
        self.facts.diagnostics.extend(misspelt);
        let Some(Local::Var(var)) = self.lookup(&name.text) else {
            return;
        };
        let bound = self.var(var).name_range;
        // TVM uses one variable for a local function and an enclosing function of the same name, so both need return
        // annotations.
        let mut around = self.frames.iter().map(|it| self.function(it.index));
        let is_around = |it: &FunctionFact| it.name_range == bound && it.annotated_ret.is_some();
        if function.ret.is_some() && around.any(is_around) {
            return;
        }
        let reported = self.facts.diagnostics.len();
        let message = format!(
            "`{}` is already bound: a local function cannot have the same name",
            name.text
        );
        self.report(Code::Redefinition, name.range, message)
            .related
            .push((bound, "bound here before".to_owned()));
        self.mark_as_form_errors(reported);
    }

    /// Until TVM 0.25, shape variables that a local function's parameters bind also count as bound after it.
    fn leak_bound(&mut self, index: usize) {
        for param in self.function(index).params.clone() {
            for var in self.var(param).struct_info.defined_vars() {
                if !self.is_bound(&var) {
                    self.set_bound(&var, true);
                    self.frame().bound_order.push(var);
                }
            }
        }
    }

    /// Sets the value of the variable to the function at `index`.
    fn set_callable(&mut self, var: VarId, index: usize) {
        let callable = self
            .function(index)
            .callable(|param| self.var(param).struct_info.clone());
        let callable = self.base.shared(callable);
        if let Some(fact) = self.var_mut(var) {
            fact.struct_info = callable;
        }
    }

    fn begin(&mut self, function: &body::Function, path: SmolStr, parent: Option<usize>) {
        let index = self.base.entry().functions as usize + self.facts.functions.len();
        let mistake = decorators::asynchronous(function);
        self.facts.diagnostics.extend(mistake);
        let (pure, private) = self.decorator_flags(&function.decorators);
        self.facts.functions.push(FunctionFact {
            name: path,
            name_range: function.name.range,
            range: function.range,
            parent,
            params: Vec::new(),
            has_unclear_params: false,
            ret: StructInfo::Unknown,
            annotated_ret: None,
            pure,
            private: private || parent.is_some(),
        });
        self.frames.push(Frame {
            index,
            scopes: self.scopes.len(),
            in_signature: true,
            in_params: true,
            introduced: match parent {
                Some(_) => names_in_strings(self.body, function),
                None => FxHashSet::default(),
            },
            implicit_dims: self.cx.release.dialect() == Dialect::Rfc,
            ..Frame::default()
        });
        if parent.is_some() {
            self.scopes.push(Scope::default());
        }
        self.type_params(function);
        self.params(function, index);
        self.frame().in_params = false;
        if let Some(ret) = function.ret {
            let sinfo = self.annotation(ret);
            self.check_sym_vars(&sinfo, self.range(ret));
            self.function_mut(index).annotated_ret = Some(sinfo);
        }
        self.frame().in_signature = false;
        self.frame().implicit_dims = false;
    }

    /// Infers the type parameters of `def f[n]` and `def f[n: int]`.
    fn type_params(&mut self, function: &body::Function) {
        for param in &function.type_params {
            let var = self.own_sym(&param.name.text);
            self.declared_at(&var, param.name.range);
            self.frame().type_params.insert(var.name.clone());
            self.bind_local(var.name, Local::Sym(var.id));
            if let Some(bound) = param.bound
                && !matches!(&self.body.exprs[bound], Expr::Name(name) if name == "int")
            {
                let range = self.range(bound);
                self.report(
                    Code::InvalidAnnotation,
                    range,
                    "a type parameter is a shape variable: its bound can only be `int`",
                );
            }
        }
    }

    fn params(&mut self, function: &body::Function, index: usize) {
        // A dimension that consists of one variable binds it, at any place in the signature.
        let mut annotations: Vec<(ExprId, StructInfo)> = Vec::new();
        let reported = self.facts.diagnostics.len();
        let mut seen: FxHashMap<&SmolStr, TextRange> = FxHashMap::default();
        for param in function.params.iter() {
            let twin = seen.get(&param.name.text).copied();
            seen.entry(&param.name.text).or_insert(param.name.range);
            if param.kind != ParamKind::Plain {
                self.ignored_param(param);
                continue;
            }
            if let Some(twin) = twin.filter(|_| !param.name.text.is_empty()) {
                let message = format!("the parameter `{}` is already defined", param.name.text);
                self.report(Code::Redefinition, param.name.range, message)
                    .related
                    .push((twin, "the first one".to_owned()));
            }
            let struct_info = match param.annotation {
                Some(annotation) => {
                    let sinfo = self.annotation(annotation);
                    annotations.push((annotation, sinfo.clone()));
                    self.param_value(sinfo, &param.name)
                }
                None if self.cx.release == Release::Rfc => StructInfo::Unknown,
                None => {
                    let message = format!("parameter `{}` needs an annotation", param.name.text);
                    self.report(Code::MissingAnnotation, param.name.range, message);
                    StructInfo::Unknown
                }
            };
            let var = self.new_var(VarFact {
                name: param.name.text.clone(),
                name_range: param.name.range,
                range: param.name.range,
                kind: VarKind::Param,
                struct_info: self.base.shared(struct_info),
                function: index,
                in_dataflow: false,
                annotated: true,
                value: None,
                dtype: None,
                contradicted: false,
            });
            self.function_mut(index).params.push(var);
            self.bind_local(param.name.text.clone(), Local::Var(var));
        }
        self.check_param_names(function, &annotations);
        for (annotation, sinfo) in &annotations {
            self.bind_sym_vars(sinfo, self.range(*annotation));
        }
        let is_unclear = annotations.len() < function.params.len()
            || annotations.iter().any(|(_, sinfo)| sinfo.is_unknown())
            || self.facts.diagnostics.len() > reported;
        self.function_mut(index).has_unclear_params = is_unclear;
        for (annotation, sinfo) in &annotations {
            self.check_sym_vars(sinfo, self.range(*annotation));
        }
    }

    /// Reports starred, keyword-only and positional-only parameters, which TVMScript ignores.
    fn ignored_param(&mut self, param: &body::Param) {
        let what = match param.kind {
            ParamKind::PositionalOnly => "before `/`",
            ParamKind::KeywordOnly => "after `*`",
            _ => "with a star",
        };
        let message = format!("a parameter {what} is left out of a Relax function");
        self.report(Code::IgnoredArgument, param.name.range, message);
        if let Some(annotation) = param.annotation {
            self.annotation(annotation);
        }
    }

    /// Reports parameters with the name of a shape variable of the signature. Since 0.26, a scalar may be a dimension
    /// of later parameters.
    fn check_param_names(
        &mut self,
        function: &body::Function,
        annotations: &[(ExprId, StructInfo)],
    ) {
        if self.cx.release.dialect() == Dialect::Rfc {
            return;
        }
        // Maps each name to the first annotation that defines it.
        let mut defining: FxHashMap<SmolStr, ExprId> = FxHashMap::default();
        for (annotation, sinfo) in annotations {
            for var in sinfo.defined_vars() {
                defining.entry(var.name).or_insert(*annotation);
            }
        }
        if defining.is_empty() {
            return;
        }
        let of_param: FxHashMap<ExprId, &StructInfo> =
            annotations.iter().map(|(at, sinfo)| (*at, sinfo)).collect();
        for param in function.params.iter() {
            let Some(own) = param.annotation else {
                continue;
            };
            let Some(&first) = defining.get(&param.name.text) else {
                continue;
            };
            let scalar = of_param.get(&own);
            if let (Dialect::Type, Some(StructInfo::Prim(prim))) =
                (self.cx.release.dialect(), scalar)
                && self.range(first).start() > param.name.range.start()
            {
                if let Some(dtype) = prim
                    .dtype
                    .filter(|dtype| dtype.is_int() && *dtype != DType::I64)
                {
                    let message = format!(
                        "`{}` is a dimension of the signature: its dtype is int64, not {dtype}",
                        param.name.text
                    );
                    let range = self.range(own);
                    self.report(Code::DtypeMismatch, range, message);
                }
                continue;
            }
            let message = format!(
                "`{}` names a shape variable of the signature: the parameter needs another name",
                param.name.text
            );
            let range = self.range(first);
            self.report(Code::Redefinition, param.name.range, message)
                .related
                .push((range, "the shape variable".to_owned()));
        }
    }

    /// In the Type dialect, an integer parameter is also a shape variable.
    fn param_value(&mut self, sinfo: StructInfo, name: &body::Name) -> StructInfo {
        if let (Dialect::Type, StructInfo::Prim(prim)) = (self.cx.release.dialect(), &sinfo)
            && prim.value.is_none()
            && prim.dtype.is_none_or(relax::dtype::DType::is_int)
        {
            let var = self.own_sym(&name.text);
            self.mention_at(&var, name.range);
            self.bind_sym(&var, name.range);
            return StructInfo::Prim(Prim {
                value: Some(SymExpr::var(var)),
                ..prim.clone()
            });
        }
        sinfo
    }

    /// Reads `pure=` and `private=` of the decorator.
    fn decorator_flags(&mut self, decorators: &[ExprId]) -> (bool, bool) {
        let (mut pure, mut private) = (true, false);
        for &decorator in decorators {
            if let Some(mistake) = decorators::mistake(self.body, decorator, self.cx.env) {
                self.facts.diagnostics.push(mistake);
            }
            let Expr::Call { args, .. } = &self.body.exprs[decorator] else {
                continue;
            };
            for arg in args {
                let Some(keyword) = &arg.keyword else {
                    continue;
                };
                // TVM uses the truth value of any literal.
                let value = match self.body.exprs[arg.value] {
                    Expr::Bool(value) => Some(value),
                    Expr::Int(value) => Some(value != 0),
                    Expr::None => Some(false),
                    _ => None,
                };
                if let Some(value) = value {
                    match keyword.text.as_str() {
                        "pure" => pure = value,
                        "private" => private = value,
                        _ => {}
                    }
                }
            }
        }
        (pure, private)
    }

    /// Completes a local function.
    fn end(&mut self, function: &body::Function) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.scopes.truncate(frame.scopes);
        let mut fact = self.function(frame.index).clone();
        let concluded = Conclusion {
            function,
            release: self.cx.release,
            force_pure: frame.force_pure.unwrap_or(false),
            returns: frame.returned.is_some() || frame.returns_in_branch,
            result: frame.result,
            cast: frame.cast,
            impure: frame.impure,
        };
        let params = fact.params.clone();
        let params = params.iter().map(|&param| self.var(param).struct_info);
        let diagnostics = concluded.conclude(&mut fact, params, &self.sym);
        *self.function_mut(frame.index) = fact;
        self.facts.diagnostics.extend(diagnostics);
    }

    /// Checks `R.func_attr({"global_symbol": ...})`: a private function has none, and for any other function it must be
    /// its name.
    pub(in crate::infer) fn check_global_symbol(&mut self, attrs: &Value, at: ExprId) {
        let Value::Dict(entries) = attrs else { return };
        let symbol = entries.iter().find_map(|(key, value)| match (key, value) {
            (Value::Str(key), Value::Str(symbol)) if key == "global_symbol" => Some(symbol.clone()),
            _ => None,
        });
        let fact = self.function(self.frames.last().map_or(0, |f| f.index));
        let (Some(symbol), None) = (symbol, fact.parent) else {
            return;
        };
        let (name, name_range) = (fact.name.clone(), fact.name_range);
        let message = if fact.private {
            format!("`{name}` is private: it cannot have the global symbol `{symbol}`")
        } else if self.cx.module.is_some() && symbol != name {
            format!(
                "the global symbol of a function in a module is its name: `{name}`, not `{symbol}`"
            )
        } else {
            return;
        };
        let range = self.range(at);
        self.report(Code::GlobalSymbolMismatch, range, message)
            .related
            .push((name_range, "the function".to_owned()));
    }

    /// Checks `R.func_attr`: the keys are strings, and each appears once.
    pub(in crate::infer) fn check_attributes(&mut self, attrs: &Value, at: ExprId) {
        let range = self.range(at);
        let Value::Dict(entries) = attrs else {
            let is_plain = matches!(
                attrs,
                Value::List(_) | Value::Int(_) | Value::Str(_) | Value::None
            );
            let sinfo = attrs.struct_info();
            if is_plain || sinfo.is_some_and(|it| !it.is_unknown()) {
                let message = format!(
                    "`R.func_attr` takes a dict, but this is {}",
                    attrs.kind_name()
                );
                self.report(Code::ArgumentType, range, message);
            }
            return;
        };
        let mut given = FxHashSet::default();
        for (key, _) in entries.iter() {
            match key {
                Value::Str(name) => {
                    given.insert(name.clone());
                }
                Value::Int(_) | Value::Float(_) | Value::None | Value::Bool(_) => {
                    let message = format!(
                        "the name of an attribute must be a string, not {}",
                        key.kind_name()
                    );
                    self.report(Code::ArgumentType, range, message);
                    return;
                }
                _ => {}
            }
        }
        for name in given {
            if !self.frame().attributes.insert(name.clone()) {
                let message = format!("the attribute `{name}` is already given");
                self.report(Code::Redefinition, range, message);
            }
        }
    }

    /// Reads `R.func_attr({"relax.force_pure": True})`.
    pub(in crate::infer) fn force_pure(&mut self, attrs: &Value, at: ExprId) {
        let Value::Dict(entries) = attrs else { return };
        let is_it = |key: &Value| matches!(key, Value::Str(key) if key == "relax.force_pure");
        let Some(entry) = entries.iter().position(|(key, _)| is_it(key)) else {
            return;
        };
        let value = &entries[entry].1;
        let force = matches!(value, Value::Bool(true) | Value::Int(1));
        self.frame().force_pure = Some(force || value.is_unknown());
        let fact = self.function(self.frames.last().map_or(0, |f| f.index));
        if !force || fact.pure {
            return;
        }
        let (name, name_range) = (fact.name.clone(), fact.name_range);
        let written = match &self.body.exprs[at] {
            Expr::Dict(written) => written.get(entry).and_then(|(key, _)| *key),
            _ => None,
        };
        let range = self.range(written.unwrap_or(at));
        let message = format!(
            "`relax.force_pure` says that `{name}` is pure, and its decorator says `pure=False`: leave one of them out"
        );
        self.report(Code::ConflictingPurity, range, message)
            .related
            .push((name_range, "the function".to_owned()));
    }
}
