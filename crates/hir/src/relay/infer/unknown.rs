//! Pieces whose types become unknown because a name that they look up has no type any more.
//!
//! A mistake in a binding can take the types of all that follows from it. These pieces are not inferred again: beside
//! the facts that they had, [`UnknownTypes`] says which of their types are unknown now. When the name has its type
//! again, so do they.

use std::cell::Cell;

use relax::relay::{Site, Stop, Type, ops};
use smallvec::SmallVec;

use super::super::body::{Attribute, Expr, ExprId, LocalId, LocalKind};
use super::super::constants::{scalar, split_attributes};
use super::super::facts::{PieceFacts, UnknownTypes};
use super::super::names::Step;
use super::Infer;

impl Infer<'_> {
    /// Returns which types of a piece are unknown, given its facts for other types of the names that it looks up.
    /// Returns `None` if something else may differ from these facts.
    pub(super) fn unknown_types(&self, known: &PieceFacts) -> Option<UnknownTypes> {
        let mut missing = 0_u64;
        for (at, outer) in known.outer.iter().enumerate() {
            let result = self.facts.result(outer.local.piece);
            let is_missing = match result.filter(|it| outer.is_from(it)) {
                Some(source) => source.hides(outer.local.index as usize),
                None => {
                    let now = self.facts.local(outer.local);
                    let is_other = now != known.outer_types[at].as_ref();
                    if is_other && !now.is_some_and(Type::is_unknown) {
                        return None;
                    }
                    is_other
                }
            };
            if is_missing {
                missing |= 1_u64.checked_shl(at as u32)?;
            }
        }
        if missing == 0 {
            return Some(UnknownTypes::default());
        }
        if let Some((_, unknown)) = known.without_types.get().filter(|it| it.0 == missing) {
            return Some(*unknown);
        }
        let less = LessKnown {
            infer: self,
            known,
            unknown: UnknownTypes::default(),
        };
        let unknown = less.follow()?;
        let _ = known.without_types.set((missing, unknown));
        Some(unknown)
    }
}

/// The facts of a piece, where some of the types that it looked up are unknown now.
struct LessKnown<'a> {
    infer: &'a Infer<'a>,
    known: &'a PieceFacts,
    unknown: UnknownTypes,
}

impl LessKnown<'_> {
    /// Follows the steps of the inference.
    fn follow(mut self) -> Option<UnknownTypes> {
        for step in &self.known.names.steps {
            match *step {
                Step::Expr(expr) if expr.index < u64::BITS => {
                    let is_unknown = self.becomes_unknown(expr)?;
                    self.unknown.exprs |= u64::from(is_unknown) << expr.index;
                }
                Step::Bind { local, value } => self.bind(local, value)?,
                _ => return None,
            }
        }
        Some(self.unknown)
    }

    fn is_unknown(&self, expr: &ExprId) -> bool {
        self.unknown.has_expr(expr.index as usize)
    }

    fn bind(&mut self, local: LocalId, value: ExprId) -> Option<()> {
        if !self.is_unknown(&value) {
            return Some(());
        }
        let body = self.infer.body;
        let binding = &body[local];
        let is_annotated = binding.annotation.is_some() && binding.kind != LocalKind::Graph;
        if is_annotated || body.piece(local.piece).locals.len() > 1 {
            return None;
        }
        self.unknown.local = true;
        Some(())
    }

    fn becomes_unknown(&self, expr: ExprId) -> Option<bool> {
        match &self.infer.body[expr] {
            Expr::Missing | Expr::Global(_) | Expr::Name(_) | Expr::Constant(_) | Expr::Meta(_) => {
                Some(false)
            }
            Expr::Local(_) => {
                let local = self.known.uses[expr.index as usize];
                let ty = local.and_then(|it| self.infer.facts.local(it));
                Some(ty.is_some_and(Type::is_unknown))
            }
            Expr::Projection { tuple, .. } => Some(self.is_unknown(tuple)),
            // Its type would be unknown in part.
            Expr::Tuple(fields) => {
                { fields.iter().all(|it| !self.is_unknown(it)) }.then_some(false)
            }
            Expr::Call {
                callee,
                args,
                attrs,
            } => self.call(*callee, args, attrs),
            _ => None,
        }
    }

    fn call(&self, callee: ExprId, args: &[ExprId], attrs: &[Attribute]) -> Option<bool> {
        if self.is_unknown(&callee) {
            return Some(true);
        }
        if args.iter().all(|it| !self.is_unknown(it)) {
            return Some(false);
        }
        if let Expr::Name(name) = &self.infer.body[callee]
            && self.infer.env.constructor(name).is_none()
        {
            return self.operator(name, args, attrs);
        }
        match &self.known.exprs[callee.index as usize] {
            Some(Type::Function(function)) => function.type_params.is_empty().then_some(false),
            _ => None,
        }
    }

    /// Returns whether the answer only requires types of arguments that are unknown: an unknown type agrees with each.
    fn fits(&self, args: &[ExprId], expects: &[(usize, Type)]) -> bool {
        let is_unknown = |at: usize| args.get(at).is_none_or(|it| self.is_unknown(it));
        expects.iter().all(|it| is_unknown(it.0))
    }

    fn operator(&self, name: &str, args: &[ExprId], attrs: &[Attribute]) -> Option<bool> {
        let Infer { body, env, .. } = *self.infer;
        let entry = ops::by_name(name)?;
        if split_attributes(&env.metadata, body, args, None)
            .1
            .is_some()
        {
            return None;
        }
        let type_of = |arg: &ExprId| match &self.known.exprs[arg.index as usize] {
            Some(ty) if !self.is_unknown(arg) => ty.clone(),
            _ => Type::Unknown,
        };
        let types: SmallVec<[Type; 4]> = args.iter().map(type_of).collect();
        // Its answer would depend on the value of a name, besides its type.
        let asks_for_value = Cell::new(false);
        let binding = |expr: ExprId| self.known.uses[expr.index as usize];
        let bound = |_| {
            asks_for_value.set(true);
            None
        };
        let constant = |at: usize| scalar(&env.metadata, body, *args.get(at)?, &binding, &bound);
        let given = |name: &str| self.infer.written_attribute(attrs, name);
        let answer = (entry.op.relation)(&Site {
            entry,
            types: &types,
            given: &given,
            constant: &constant,
        });
        let is_unknown = match answer {
            Err(Stop::Unknown) => true,
            Ok(answer) => answer.out.is_unknown() && self.fits(args, &answer.expects),
            Err(Stop::Wait | Stop::Wrong(_)) => false,
        };
        (is_unknown && !asks_for_value.get()).then_some(true)
    }
}
