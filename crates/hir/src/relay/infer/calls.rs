//! Calls of operators and of values with a function type.

use relax::nearest_name;
use relax::relay::{FunctionType, Type, TypeVar, ops};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::super::body::{Attribute, Expr, ExprId};
use super::super::unknown_name::unknown_name;
use super::Infer;

impl Infer<'_> {
    pub(super) fn global(&self, name: &str) -> Type {
        let annotated = || self.env.function(name).map(|it| &it.ty);
        let ty = self.inferred.get(name).or_else(annotated);
        ty.map_or(Type::Unknown, Type::clone)
    }

    /// Reports a call of a function that the module does not have. A call that only passes a function's name, as
    /// `call_lowered` does, may mean a function of another module; so may a text that is one expression, or an excerpt.
    fn undefined_function(&mut self, callee: ExprId, name: &SmolStr) {
        let is_part = !self.is_function || self.env.is_excerpt;
        if name.is_empty() || is_part || self.env.function(name).is_some() {
            return;
        }
        let range = self.body.range(callee);
        let message = format!("no function is named `@{name}`");
        let near = nearest_name::nearest(name, self.env.function_names());
        let near = near.map(|near| format_smolstr!("@{near}"));
        self.report(unknown_name(Code::UndefinedFunction, range, message, near));
    }

    /// Returns the type of an operator or a constructor that is named but not called.
    pub(super) fn named(&mut self, expr: ExprId, name: &SmolStr) -> Type {
        if let Some(constructor) = self.env.constructor(name) {
            let ty = self.env.constructor_type(constructor);
            // A constructor without fields is a value, not a function.
            return match &ty {
                Type::Function(function) if function.params.is_empty() => self.instance(function).1,
                _ => ty,
            };
        }
        if name.is_empty() || ops::by_name(name).is_some() {
            return Type::Unknown;
        }
        let range = self.body.range(expr);
        let message = format!("no operator is named `{name}`");
        let constructors = self.env.constructor_names().map(SmolStr::as_str);
        let known = ops::all().map(|it| it.op.name).chain(constructors);
        let near = nearest_name::nearest_in_table(name, known).map(SmolStr::from);
        self.report(unknown_name(Code::UnknownOperator, range, message, near));
        Type::Unknown
    }

    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId) -> Type {
        let body = self.body;
        let Expr::Call { args, attrs, .. } = &body[expr] else {
            return Type::Unknown;
        };
        if let Expr::Name(name) = &body[callee]
            && self.env.constructor(name).is_none()
        {
            return match ops::by_name(name) {
                Some(entry) => self.operator(expr, entry, args, attrs),
                None => Type::Unknown,
            };
        }
        if let Expr::Global(name) = &body[callee] {
            self.undefined_function(callee, name);
        }
        self.no_attributes(attrs);
        self.solve();
        let ty = match &body[callee] {
            Expr::Name(name) => match self.env.constructor(name) {
                Some(constructor) => self.env.constructor_type(constructor),
                None => Type::Unknown,
            },
            _ => self.ty(callee),
        };
        match self.solver.shallow(&ty) {
            Type::Unknown => Type::Unknown,
            Type::Hole(_) => {
                let ret = self.solver.hole();
                let params: Vec<Type> = args.iter().map(|it| self.ty(*it)).collect();
                let wanted = Type::function([], params, ret.clone());
                self.expect(&wanted, callee, |wanted, is| {
                    format!("it is called as {wanted}, but is {is}")
                });
                ret
            }
            Type::Function(function) => {
                let (params, ret) = self.instance(&function);
                if self.counts(expr, callee, params.len(), args) {
                    for (at, (wanted, arg)) in params.iter().zip(args).enumerate() {
                        let called = self.quoted(callee);
                        self.expect(wanted, *arg, |wanted, is| {
                            format!(
                                "argument {} of {called} must be {wanted}, but is {is}",
                                at + 1
                            )
                        });
                    }
                }
                ret
            }
            other => {
                let other = self.solver.resolve(&other);
                let range = body.range(callee);
                let message = format!("{} is {other}, which cannot be called", self.quoted(callee));
                self.report_with(
                    Diagnostic::new(Code::NotCallable, range, message),
                    &[callee],
                );
                Type::Unknown
            }
        }
    }

    /// Returns the parameters and the result with holes in the place of type parameters.
    fn instance(&mut self, function: &FunctionType) -> (Vec<Type>, Type) {
        let mut meant = FxHashMap::<TypeVar, Type>::default();
        for var in &function.type_params {
            meant.insert(var.clone(), self.solver.hole());
        }
        let params = function.params.iter().map(|it| it.with(&meant));
        (params.collect(), function.ret.with(&meant))
    }

    /// Returns whether the call has as many arguments as the callee has parameters; reports it otherwise.
    pub(super) fn counts(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        wanted: usize,
        args: &[ExprId],
    ) -> bool {
        if args.len() == wanted {
            return true;
        }
        let range = match args.get(wanted) {
            Some(extra) => {
                let last = args[args.len() - 1];
                self.body.range(*extra).cover(self.body.range(last))
            }
            None => {
                self.short_calls.push(expr);
                self.body.range(expr)
            }
        };
        let message = format!(
            "{} takes {wanted} argument{}, {} {} given",
            self.quoted(callee),
            if wanted == 1 { "" } else { "s" },
            args.len(),
            if args.len() == 1 { "is" } else { "are" },
        );
        let mut diagnostic = Diagnostic::new(Code::ArgumentCount, range, message);
        for arg in args {
            self.explain(&mut diagnostic, *arg, 1);
        }
        self.report(diagnostic);
        false
    }

    fn no_attributes(&mut self, attrs: &[Attribute]) {
        let keyed = attrs.iter().any(|it| it.name.text == "attrs_type_key");
        if let Some(attr) = attrs.first().filter(|_| !keyed) {
            let message = "only operators take attributes, this is the call of a function";
            let range = attr.range;
            self.report(Diagnostic::new(Code::UnknownArgument, range, message));
        }
    }

    /// Returns the text for an expression in a message.
    pub(super) fn quoted(&self, expr: ExprId) -> String {
        match &self.body[expr] {
            Expr::Local(name) => format!("`%{name}`"),
            Expr::Global(name) => format!("`@{name}`"),
            Expr::Name(name) => format!("`{name}`"),
            _ => "the function".to_owned(),
        }
    }
}
