//! Uses of functions with type parameters: calls, and arguments of calls. Each use gives types for them, so that it
//! refers to an instance: a function of the translated module, or a local function that is written before the use.

use std::sync::Arc;

use hir::relay::Facts;
use hir::relay::body::{Expr, ExprId, Function};
use hir::relay::instances::type_arguments;
use relax::relay::{FunctionType, Type};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::{Untranslated, Value, Writer};

/// A local function that was written for some type arguments.
pub(super) struct LocalInstance {
    literal: ExprId,
    type_args: Vec<Type>,
    name: SmolStr,
    /// The branch or local function that it was written in.
    home: u32,
}

/// A function with type parameters.
enum Polymorphic {
    /// A function of the module: its name and the index of its definition.
    Global(SmolStr, usize),
    /// A function literal, and the name that it is bound to.
    Local(ExprId, SmolStr),
}

impl Writer<'_> {
    /// Returns the type of an expression that is a function with type parameters.
    pub(super) fn polymorphic(&self, expr: ExprId) -> Option<Arc<FunctionType>> {
        let ty = match &self.body[expr] {
            Expr::Global(name) => self.env.function(name)?.ty.clone(),
            _ => self.ty(expr),
        };
        let function = ty.as_function()?;
        (!function.type_params.is_empty()).then(|| Arc::clone(function))
    }

    /// Translates the callee of a call. Returns the types of its parameters too.
    pub(super) fn callee(
        &mut self,
        call: ExprId,
        callee: ExprId,
        args: &[ExprId],
    ) -> Result<(Value, Vec<Type>), Untranslated> {
        let Some(function) = self.polymorphic(callee) else {
            let ty = self.ty(callee);
            let params = ty
                .as_function()
                .map(|it| it.params.iter().cloned().collect());
            return Ok((self.operand(callee)?, params.unwrap_or_default()));
        };
        let types: Vec<Type> = args.iter().map(|it| self.ty(*it)).collect();
        let ret = self.ty(call);
        let (value, type_args) = self.instance(callee, &function, &types, &ret)?;
        let meant: FxHashMap<_, _> = { function.type_params.iter().cloned() }
            .zip(type_args)
            .collect();
        let params = function.params.iter().map(|it| it.with(&meant));
        Ok((value, params.collect()))
    }

    /// Translates an argument for a parameter of a type.
    pub(super) fn argument(
        &mut self,
        arg: ExprId,
        wanted: Option<&Type>,
    ) -> Result<Value, Untranslated> {
        match (self.polymorphic(arg), wanted) {
            (Some(function), Some(Type::Function(wanted))) => {
                let params: Vec<Type> = wanted.params.iter().cloned().collect();
                Ok(self.instance(arg, &function, &params, &wanted.ret)?.0)
            }
            _ => self.operand(arg),
        }
    }

    /// Returns the instance of a function for the types of its arguments and its result, and its type arguments.
    fn instance(
        &mut self,
        expr: ExprId,
        function: &FunctionType,
        args: &[Type],
        ret: &Type,
    ) -> Result<(Value, Vec<Type>), Untranslated> {
        let Some(type_args) = type_arguments(function, args, ret) else {
            let why = format!(
                "this does not give a type for each type parameter of {}",
                self.quoted(expr)
            );
            return self.refuse(expr, why);
        };
        let value = match self.definition_of(expr) {
            Some(Polymorphic::Global(name, definition)) => {
                match self.instances.name_of(&name, definition, type_args.clone()) {
                    Some(instance) => self.global(expr, instance),
                    None => {
                        let why = format!("`@{name}` is used with too many different types");
                        return self.refuse(expr, why);
                    }
                }
            }
            Some(Polymorphic::Local(literal, name)) => {
                self.local_instance(expr, (literal, &name), function, &type_args)?
            }
            None => {
                let why = format!("it is not known which function {} is", self.quoted(expr));
                return self.refuse(expr, why);
            }
        };
        Ok((value, type_args))
    }

    /// Returns the function that an expression refers to, through names of it.
    fn definition_of(&self, mut expr: ExprId) -> Option<Polymorphic> {
        let mut bound = SmolStr::from("fn");
        loop {
            match &self.body[expr] {
                Expr::Global(name) => {
                    let definition = self.env.function(name)?.definition;
                    return Some(Polymorphic::Global(name.clone(), definition));
                }
                Expr::Function(_) => return Some(Polymorphic::Local(expr, bound)),
                Expr::Local(name) => {
                    bound = name.clone();
                    expr = self.facts.value(self.facts.use_of(expr)?)?;
                }
                _ => return None,
            }
        }
    }

    /// Writes a function literal for some type arguments, unless it was written before.
    fn local_instance(
        &mut self,
        expr: ExprId,
        (literal, bound): (ExprId, &str),
        function: &FunctionType,
        type_args: &[Type],
    ) -> Result<Value, Untranslated> {
        let is_same = |it: &&LocalInstance| {
            it.literal == literal && it.type_args == type_args && self.open.contains(&it.home)
        };
        if let Some(known) = self.local_instances.iter().find(is_same) {
            return Ok(self.plain(expr, known.name.to_string()));
        }
        let Expr::Function(written) = &self.body[literal] else {
            return self.refuse(expr, "this is not a function");
        };
        let name = self.names.unused_name(bound);
        self.local_instances.push(LocalInstance {
            literal,
            type_args: type_args.to_vec(),
            name: name.clone(),
            home: self.open.last().copied().unwrap_or_default(),
        });
        let mut meant = self.type_args.clone();
        let vars = function.type_params.iter().cloned();
        meant.extend(vars.zip(type_args.iter().cloned()));
        let facts = Facts::of_instance(self.env, self.body, meant.clone());
        let outer_facts = std::mem::replace(&mut self.facts, Arc::new(facts));
        let outer_args = std::mem::replace(&mut self.type_args, meant);
        let value = self.closure(literal, &name, written);
        self.facts = outer_facts;
        self.type_args = outer_args;
        value?;
        Ok(self.plain(expr, name.to_string()))
    }

    fn quoted(&self, expr: ExprId) -> String {
        match &self.body[expr] {
            Expr::Local(name) => format!("`%{name}`"),
            Expr::Global(name) => format!("`@{name}`"),
            _ => "the function".to_owned(),
        }
    }
}

/// Refuses a function literal with type parameters that nothing gives types for.
pub(super) fn no_type_parameters(function: &Function) -> Result<(), Untranslated> {
    match function.type_params.first() {
        Some(param) => Err(Untranslated {
            range: param.range,
            message: format!("no call gives a type for `{}`", param.text),
        }),
        None => Ok(()),
    }
}
