//! Functions: their signature, their body, what they return, their purity.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use super::{Frame, Infer, Local, Scope};
use crate::body::{self, Expr, ExprId};
use crate::diagnostics::Code;
use crate::dialect::Dialect;
use crate::facts::{FunctionFact, VarFact, VarId, VarKind};
use crate::sinfo::{Prim, StructInfo};
use crate::sym::{SymExpr, Tri};
use crate::value::Value;

impl Infer<'_> {
    pub(super) fn root(&mut self) {
        let function = &self.body.function;
        self.begin(function, function.name.text.clone(), None);
        self.block(&function.body);
        self.end(function);
        self.report_unused();
    }

    pub(super) fn header_only(&mut self) {
        let function = &self.body.function;
        self.begin(function, function.name.text.clone(), None);
        self.facts.diagnostics.clear();
        let index = self.frame().index;
        if let Some(ret) = self.facts.functions[index].annotated_ret.clone() {
            self.facts.functions[index].ret = ret;
        }
    }

    /// A function inside the function: its facts, and itself as a value.
    pub(super) fn local_function(&mut self, function: &body::Function, range: TextRange) {
        let outer = self.frames.last().map_or(0, |f| f.index);
        let path = SmolStr::from(format!(
            "{}.{}",
            self.facts.functions[outer].name, function.name.text
        ));
        // The variable exists before its body is read, since the function may call itself.
        let var = self.new_var(VarFact {
            name: function.name.text.clone(),
            name_range: function.name.range,
            range,
            kind: VarKind::Function,
            struct_info: StructInfo::Unknown,
            function: outer,
            in_dataflow: self.in_dataflow(),
            annotated: true,
            value: None,
            used: false,
        });
        self.bind_local(function.name.text.clone(), Local::Var(var));
        self.begin(function, path, Some(outer));
        let index = self.frame().index;
        let declared = self.facts.functions[index].annotated_ret.clone();
        self.facts.functions[index].ret = declared.unwrap_or(StructInfo::tuple([]));
        self.facts.vars[var.0 as usize].struct_info =
            self.facts.functions[index].callable(&self.facts);
        self.block(&function.body);
        self.end(function);
        self.facts.vars[var.0 as usize].struct_info =
            self.facts.functions[index].callable(&self.facts);
        if let Some(scope) = self.scopes.last_mut() {
            scope.last = Some(var);
            if let Some(dataflow) = &mut scope.dataflow {
                dataflow.emitted.push(var);
            }
        }
    }

    fn begin(&mut self, function: &body::Function, path: SmolStr, parent: Option<usize>) {
        let index = self.facts.functions.len();
        let (pure, private) = self.decorator_flags(&function.decorators);
        self.facts.functions.push(FunctionFact {
            name: path,
            name_range: function.name.range,
            range: function.range,
            parent,
            params: Vec::new(),
            ret: StructInfo::Unknown,
            annotated_ret: None,
            pure,
            private: private || parent.is_some(),
        });
        self.frames.push(Frame {
            index,
            scopes: self.scopes.len(),
            sym_ids: FxHashMap::default(),
            bound: FxHashSet::default(),
            reported: FxHashSet::default(),
            force_pure: false,
            impure: Vec::new(),
            returned: None,
            result: None,
            gone: FxHashMap::default(),
            in_signature: true,
            implicit_dims: self.cx.dialect == Dialect::Rfc,
            annotating: false,
        });
        self.scopes.push(Scope::default());
        self.type_params(function);
        self.params(function, index);
        if let Some(ret) = function.ret {
            let sinfo = self.annotation(ret);
            self.check_sym_vars(&sinfo, self.range(ret));
            self.facts.functions[index].annotated_ret = Some(sinfo);
        }
        self.frame().in_signature = false;
        self.frame().implicit_dims = false;
    }

    /// `def f[n]`, `def f[n: int]`.
    fn type_params(&mut self, function: &body::Function) {
        for param in &function.type_params {
            let id = self.sym_id(&param.name.text);
            let fact = &mut self.facts.sym_vars[id.0 as usize];
            fact.mentions.push(param.name.range);
            fact.declared_at.get_or_insert(param.name.range);
            self.bind_local(param.name.text.clone(), Local::Sym);
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
        // Every dimension that is a bare variable binds it, wherever in the signature it stands.
        let mut annotations: Vec<(ExprId, StructInfo)> = Vec::new();
        for param in &function.params {
            let struct_info = match param.annotation {
                Some(annotation) => {
                    let sinfo = self.annotation(annotation);
                    annotations.push((annotation, sinfo.clone()));
                    self.param_value(sinfo, &param.name)
                }
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
                struct_info,
                function: index,
                in_dataflow: false,
                annotated: true,
                value: None,
                used: false,
            });
            self.facts.functions[index].params.push(var);
            self.bind_local(param.name.text.clone(), Local::Var(var));
        }
        for (annotation, sinfo) in &annotations {
            self.bind_sym_vars(sinfo, self.range(*annotation));
        }
        for (annotation, sinfo) in &annotations {
            self.check_sym_vars(sinfo, self.range(*annotation));
        }
    }

    /// In the Type dialect an integer parameter is itself a shape variable.
    fn param_value(&mut self, sinfo: StructInfo, name: &body::Name) -> StructInfo {
        if let (Dialect::Type, StructInfo::Prim(prim)) = (self.cx.dialect, &sinfo)
            && prim.value.is_none()
            && prim.dtype.is_none_or(super::super::dtype::DType::is_int)
        {
            let id = self.sym_id(&name.text);
            let fact = &mut self.facts.sym_vars[id.0 as usize];
            fact.mentions.push(name.range);
            let var = fact.var.clone();
            self.bind_sym(&var, name.range);
            return StructInfo::Prim(Prim {
                value: Some(SymExpr::var(var)),
                ..prim.clone()
            });
        }
        sinfo
    }

    /// `pure=` and `private=` of the decorator.
    fn decorator_flags(&mut self, decorators: &[ExprId]) -> (bool, bool) {
        let (mut pure, mut private) = (true, false);
        for &decorator in decorators {
            let Expr::Call { args, .. } = &self.body.exprs[decorator] else {
                continue;
            };
            for arg in args {
                let Some(keyword) = &arg.keyword else {
                    continue;
                };
                if let Expr::Bool(value) = self.body.exprs[arg.value] {
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

    fn end(&mut self, function: &body::Function) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.scopes.truncate(frame.scopes);
        let fact = &self.facts.functions[frame.index];
        let pure = fact.pure;
        let annotated = fact.annotated_ret.clone();
        let result = match &frame.result {
            Some(result) => {
                let bound = self.param_sym_vars(frame.index);
                let params = &self.facts.functions[frame.index].params;
                result.erase_to_scope(
                    &|var| bound.contains(var) || var.id == super::PYTHON_DIM,
                    &|_, id| params.contains(&VarId(id)),
                )
            }
            None => StructInfo::Unknown,
        };
        // What the body tells more exactly than the annotation wins; what contradicts it does not.
        self.facts.functions[frame.index].ret = match annotated {
            Some(annotated) if result.is_subtype(&annotated, &self.sym) == Tri::Yes => result,
            Some(annotated) => annotated,
            None => result,
        };
        if frame.returned.is_none() {
            let message = format!(
                "function `{}` returns nothing: it must end in `return`",
                function.name.text
            );
            self.report(Code::MissingReturn, function.header, message);
        }
        if frame.force_pure && !pure {
            self.report(
                Code::ConflictingPurity,
                function.name.range,
                "`relax.force_pure` asserts a purity that `pure=False` denies",
            );
        }
        if pure && !frame.force_pure {
            for (range, callee) in frame.impure {
                let message = format!(
                    "{callee} is impure, but function `{}` is pure: mark it `@R.function(pure=False)`, or call a pure variant",
                    function.name.text
                );
                self.report(Code::ImpureCallInPureFunction, range, message)
                    .related
                    .push((function.name.range, "the function that is pure".to_owned()));
            }
        }
    }

    /// The shape variables that the parameters of a function bind.
    fn param_sym_vars(&self, function: usize) -> FxHashSet<crate::sym::SymVar> {
        let mut bound = FxHashSet::default();
        for &VarId(param) in &self.facts.functions[function].params {
            bound.extend(self.facts.vars[param as usize].struct_info.defined_vars());
        }
        bound
    }

    /// `R.func_attr({"global_symbol": ...})`: a private function has none, that of another is its name.
    pub(super) fn check_global_symbol(&mut self, attrs: &Value, at: ExprId) {
        let Value::Dict(entries) = attrs else { return };
        let symbol = entries.iter().find_map(|(key, value)| match (key, value) {
            (Value::Str(key), Value::Str(symbol)) if key == "global_symbol" => Some(symbol.clone()),
            _ => None,
        });
        let fact = &self.facts.functions[self.frames.last().map_or(0, |f| f.index)];
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

    pub(super) fn force_pure(&mut self, attrs: &Value) {
        let Value::Dict(entries) = attrs else { return };
        for (key, value) in entries.iter() {
            if matches!(key, Value::Str(k) if k == "relax.force_pure") {
                self.frame().force_pure =
                    matches!(value, Value::Bool(true) | Value::Int(1)) || value.is_unknown();
            }
        }
    }
}
