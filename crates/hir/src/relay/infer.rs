//! Type inference of one definition by TVM's algorithm, which reports every mistake at once.
//!
//! Inference follows the steps of `names`, so that it neither recurses nor has scopes. A relation waits until its
//! inputs are known. After a reported mistake the type is unknown, and unknown agrees with every type.

mod calls;
pub mod exhaustive;
mod finish;
mod functions;
mod matches;
mod operators;
mod reports;
mod uses;

use relax::dtype::DType;
use relax::relay::{Solver, Type};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::annotations::{Annotations, TypeArguments};
use super::body::{Body, Expr, ExprId, Item, LocalId, LocalKind, TypeId};
use super::env::Env;
use super::facts::Facts;
use super::names::{self, Step};
use super::signatures::InferredTypes;
use crate::metadata::Referent;
use functions::FunctionType;
use operators::Waiting;

/// Infers the types of a definition, or with `type_args` of an instance of a function.
pub fn infer(env: &Env, inferred: &InferredTypes, body: &Body, type_args: TypeArguments) -> Facts {
    let names = names::resolve(body);
    let (exprs, locals) = (body.exprs.len(), body.locals.len());
    let mut facts = Facts {
        types: vec![None; exprs],
        uses: vec![None; exprs],
        local_types: vec![None; locals],
        values: vec![None; locals],
        ..Facts::default()
    };
    for (at, local) in &names.uses {
        facts.uses[at.index()] = Some(*local);
    }
    let mut infer = Infer {
        env,
        inferred,
        body,
        solver: Solver::default(),
        annotations: Annotations {
            env,
            body,
            params: Vec::new(),
            type_args,
            diagnostics: Vec::new(),
        },
        facts,
        signatures: FxHashMap::default(),
        opened: Vec::new(),
        waiting: Vec::new(),
        solved: 0,
        short_calls: Vec::new(),
        diagnostics: Vec::new(),
        is_function: matches!(body.item, Item::Function { .. }),
    };
    for step in &names.steps {
        infer.step(*step);
    }
    infer.finish(names)
}

struct Infer<'a> {
    env: &'a Env,
    inferred: &'a InferredTypes,
    body: &'a Body,
    solver: Solver,
    annotations: Annotations<'a>,
    facts: Facts,
    signatures: FxHashMap<Option<ExprId>, FunctionType>,
    /// The number of type parameters that were in scope before each open function.
    opened: Vec<usize>,
    /// Operator calls whose relation waits for more types.
    waiting: Vec<Waiting>,
    /// The progress of the solver when the waiting relations were last tried.
    solved: usize,
    /// The calls that have too few arguments.
    short_calls: Vec<ExprId>,
    diagnostics: Vec<Diagnostic>,
    /// Whether TVM infers types: it only parses a text that is one expression.
    is_function: bool,
}

impl Infer<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Expr(expr) => {
                let ty = self.expr(expr);
                self.set_expr(expr, ty);
            }
            Step::Enter(at) => self.enter(at),
            Step::Leave(at) => self.leave(at),
            Step::Recursive { local, value } => {
                let ty = self.signature_of(Some(value)).ty();
                self.set_local(local, ty);
            }
            Step::Bind { local, value } => {
                self.bind(local, value);
                self.solve();
            }
            Step::Free(local) => {
                let ty = self.annotated(self.body[local].annotation);
                self.set_local(local, ty);
            }
            Step::Arm { of, arm } => self.arm(of, arm),
        }
    }

    /// Returns the annotated type, or a new hole without an annotation.
    fn annotated(&mut self, ty: Option<TypeId>) -> Type {
        match ty {
            Some(ty) => {
                let solver = &mut self.solver;
                self.annotations.read(ty, &mut || solver.hole())
            }
            None => self.solver.hole(),
        }
    }

    fn ty(&self, expr: ExprId) -> Type {
        self.facts.expr(expr).cloned().unwrap_or(Type::Unknown)
    }

    /// Returns the type with its solved holes filled.
    fn resolved_type(&mut self, expr: ExprId) -> Type {
        let ty = self.ty(expr);
        self.solver.resolve(&ty)
    }

    fn expr(&mut self, expr: ExprId) -> Type {
        let body = self.body;
        match &body[expr] {
            Expr::Missing => Type::Unknown,
            Expr::Local(_) => match self.facts.use_of(expr) {
                Some(local) => self.facts.local(local).cloned().unwrap_or(Type::Unknown),
                None => Type::Unknown,
            },
            Expr::Global(name) => self.global(name),
            Expr::Name(name) => self.named(expr, name),
            Expr::Constant(constant) => match DType::parse(&constant.dtype) {
                Some(dtype) => Type::scalar(dtype),
                None => Type::Unknown,
            },
            Expr::Meta(reference) => {
                if self.env.metadata.referent(reference) == Referent::Missing {
                    let message = format!("the metadata has no `{}` of this number", reference.key);
                    self.report(Diagnostic::new(
                        Code::UndefinedName,
                        body.range(expr),
                        message,
                    ));
                }
                self.env.metadata.ty(reference)
            }
            Expr::Tuple(fields) => {
                let fields: Vec<Type> = fields.iter().map(|it| self.ty(*it)).collect();
                Type::tuple(fields)
            }
            Expr::Projection { tuple, index } => self.projection(expr, *tuple, *index),
            Expr::Call { callee, .. } => self.call(expr, *callee),
            Expr::Block { value, .. } => self.ty(*value),
            // Its type was set when its body ended.
            Expr::Function(_) => self.ty(expr),
            Expr::If {
                condition,
                then,
                otherwise,
            } => self.branches(*condition, *then, *otherwise),
            Expr::Match { .. } => self.matched(expr),
            Expr::RefCreate(value) => Type::reference(self.ty(*value)),
            Expr::RefRead(reference) => self.referent(*reference),
            Expr::RefWrite { reference, value } => {
                let referent = self.referent(*reference);
                self.expect(&referent, *value, |wanted, is| {
                    format!("the reference holds {wanted}, {is} is written to it")
                });
                Type::unit()
            }
        }
    }

    fn set_expr(&mut self, expr: ExprId, ty: Type) {
        self.facts.types[expr.index()] = Some(ty);
    }

    fn set_local(&mut self, local: LocalId, ty: Type) {
        self.facts.local_types[local.index()] = Some(ty);
    }

    fn bind(&mut self, local: LocalId, value: ExprId) {
        self.facts.values[local.index()] = Some(value);
        let binding = &self.body[local];
        if binding.kind == LocalKind::Graph || binding.annotation.is_none() {
            let ty = self.ty(value);
            self.set_local(local, ty);
            return;
        }
        let written = self.annotated(binding.annotation);
        let name = &binding.name.text;
        let ty = self.expect(&written, value, |wanted, is| {
            format!("`%{name}` is annotated as {wanted}, its value is {is}")
        });
        self.set_local(local, ty);
    }

    fn projection(&mut self, expr: ExprId, tuple: ExprId, index: Option<u32>) -> Type {
        let Some(index) = index else {
            return Type::Unknown;
        };
        let ty = self.ty(tuple);
        match self.solver.shallow(&ty) {
            Type::Tuple(fields) => match fields.get(index as usize) {
                Some(field) => field.clone(),
                None => {
                    let message = format!(
                        "index {index} is out of range: the tuple has {} field{}",
                        fields.len(),
                        if fields.len() == 1 { "" } else { "s" }
                    );
                    let range = self.body.range(expr);
                    let diagnostic = Diagnostic::new(Code::TupleIndexOutOfRange, range, message);
                    self.report_with(diagnostic, &[tuple]);
                    Type::Unknown
                }
            },
            Type::Hole(_) => self.wait_for_field(expr, tuple, index),
            Type::Unknown => Type::Unknown,
            other => {
                let other = self.solver.resolve(&other);
                let message = format!("{other} has no fields: only tuples have fields");
                let range = self.body.range(expr);
                self.report_with(Diagnostic::new(Code::NotATuple, range, message), &[tuple]);
                Type::Unknown
            }
        }
    }

    fn branches(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Type {
        self.expect(&Type::scalar(DType::BOOL), condition, |wanted, is| {
            format!("the condition must be {wanted}, but is {is}")
        });
        let ty = self.ty(then);
        self.expect(&ty, otherwise, |wanted, is| {
            format!("the branches differ: the first is {wanted}, this one is {is}")
        })
    }

    fn referent(&mut self, reference: ExprId) -> Type {
        let held = self.solver.hole();
        let wanted = Type::reference(held.clone());
        self.expect(&wanted, reference, |_, is| {
            format!("{is} is not a reference")
        });
        held
    }
}
