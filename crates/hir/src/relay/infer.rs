//! Type inference of one definition by TVM's algorithm, which reports every mistake at once.
//!
//! Inference follows the steps of `names`, so that it neither recurses nor has scopes. A relation waits until its
//! inputs are known. After a reported mistake the type is unknown, and unknown agrees with every type.
//!
//! A definition is inferred piece by piece; [`pieces`] says which pieces are inferred again after an edit.

mod calls;
pub mod exhaustive;
mod finish;
mod functions;
pub(super) mod links;
mod local_set;
mod matches;
mod operators;
mod pieces;
mod reports;
pub(super) mod spares;
#[cfg(test)]
mod tests;
mod unchanged;
mod unknown;
mod uses;

use std::cell::RefCell;

use relax::dtype::DType;
use relax::relay::{Solver, Type};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::annotations::{Annotations, TypeArguments};
use super::body::{Body, Expr, ExprId, Item, LocalId, LocalKind, PieceId, TypeId};
use super::env::Env;
use super::facts::Facts;
use super::names::{OuterNames, Step};
use super::signatures::InferredTypes;
use crate::metadata::Referent;
use functions::FunctionType;
use links::KeptLinks;
use local_set::LocalSet;
use operators::Waiting;

/// Infers the types of a definition, or with `type_args` of an instance of a function. `before` is another version,
/// inferred with the same `inferred` and `type_args`, and with an `env` that is the same for it
/// ([`Env::is_same_for`]).
pub fn infer(
    env: &Env,
    inferred: &InferredTypes,
    body: &Body,
    type_args: TypeArguments,
    before: Option<(&Body, &Facts)>,
) -> Facts {
    let before = before.filter(|it| has_same_type_params(&body.item, &it.0.item));
    let infer = Infer {
        env,
        inferred,
        body,
        before,
        solver: Solver::default(),
        annotations: Annotations {
            env,
            body,
            params: Vec::new(),
            type_args,
            diagnostics: Vec::new(),
        },
        facts: Facts {
            pieces: vec![None; body.pieces.len()],
            ..Facts::default()
        },
        scope: OuterNames::default(),
        region: Vec::new(),
        closed: (0, 0),
        changed: LocalSet::default(),
        links: None,
        constants: RefCell::default(),
        signatures: FxHashMap::default(),
        opened: Vec::new(),
        waiting: Vec::new(),
        solved: 0,
        diagnostics: Vec::new(),
        is_function: matches!(&*body.item, Item::Function { .. }),
    };
    infer.run()
}

/// Whether annotations mean the same type parameters, which depend on their places.
fn has_same_type_params(one: &Item, other: &Item) -> bool {
    match (one, other) {
        (
            Item::Function { function: one, .. },
            Item::Function {
                function: other, ..
            },
        ) => one.type_params == other.type_params,
        _ => true,
    }
}

struct Infer<'a> {
    env: &'a Env,
    inferred: &'a InferredTypes,
    body: &'a Body,
    before: Option<(&'a Body, &'a Facts)>,
    solver: Solver,
    annotations: Annotations<'a>,
    facts: Facts,
    /// The names that the pieces so far bind.
    scope: OuterNames,
    /// The last pieces, if their types are not all known yet.
    region: Vec<PieceId>,
    /// How many pieces of the region, and types of the next one, are known.
    closed: (usize, usize),
    /// The locals whose types are not those of the version before.
    changed: LocalSet,
    /// The links between pieces, if the pieces that were left alone bind and look up the same names.
    links: Option<KeptLinks>,
    /// The locals whose values the region asked for.
    constants: RefCell<Vec<LocalId>>,
    signatures: FxHashMap<Option<ExprId>, FunctionType>,
    /// The number of type parameters that were in scope before each open function.
    opened: Vec<usize>,
    /// Operator calls whose relation waits for more types.
    waiting: Vec<Waiting>,
    /// The progress of the solver when the waiting relations were last tried.
    solved: usize,
    /// The mistakes in the region.
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
            Step::Bind { local, value } => self.bind(local, value),
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

    fn bind(&mut self, local: LocalId, value: ExprId) {
        self.set_value(local, value);
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
