//! Matches: the types of pattern variables, the type of the arms, and the check for completeness.

use relax::relay::{Type, TypeVar};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::super::body::{Expr, ExprId, Name, Pattern, PatternKind};
use super::reports::with_differing;
use super::{Infer, exhaustive};

/// The most cases that a message names.
const MOST_NAMED: usize = 4;

impl Infer<'_> {
    /// Gives the locals of a pattern their types.
    pub(super) fn arm(&mut self, of: ExprId, arm: usize) {
        let body = self.body;
        let Expr::Match { value, arms, .. } = &body[of] else {
            return;
        };
        let mut open = vec![(&arms[arm].pattern, self.ty(*value))];
        while let Some((pattern, ty)) = open.pop() {
            match &pattern.kind {
                PatternKind::Missing | PatternKind::Wildcard => {}
                PatternKind::Local(local) => {
                    let local = *local;
                    let ty = match body[local].annotation {
                        Some(written) => {
                            let written = self.annotated(Some(written));
                            self.pattern_is(pattern, *value, &written, &ty)
                        }
                        None => ty,
                    };
                    self.set_local(local, ty);
                }
                PatternKind::Tuple(fields) => {
                    let holes: Vec<Type> = fields.iter().map(|_| self.solver.hole()).collect();
                    let wanted = Type::tuple(holes.clone());
                    self.pattern_is(pattern, *value, &wanted, &ty);
                    open.extend(fields.iter().zip(holes).rev());
                }
                PatternKind::Constructor { name, fields } => {
                    let types = self.constructor_pattern(pattern, *value, name, fields.len(), &ty);
                    open.extend(fields.iter().zip(types).rev());
                }
            }
        }
    }

    /// Returns the types of the fields of a pattern. Its constructor must belong to the type of the value.
    fn constructor_pattern(
        &mut self,
        pattern: &Pattern,
        value: ExprId,
        name: &Name,
        count: usize,
        ty: &Type,
    ) -> Vec<Type> {
        let unknown = vec![Type::Unknown; count];
        let env = self.env;
        let Some(constructor) = env.constructor(&name.text) else {
            if !name.text.is_empty() {
                let message = format!(
                    "no constructor is named `{0}`; `%{0}` would bind a name",
                    name.text
                );
                let range = name.range;
                self.report(Diagnostic::new(Code::UndefinedName, range, message));
            }
            return unknown;
        };
        let params = env.adt(&constructor.adt).map_or(&[][..], |it| &it.params);
        let mut meant = FxHashMap::<TypeVar, Type>::default();
        for var in params {
            meant.insert(var.clone(), self.solver.hole());
        }
        let args: Vec<Type> = params.iter().map(|it| meant[it].clone()).collect();
        let wanted = Type::adt(constructor.adt.clone(), args);
        self.pattern_is(pattern, value, &wanted, ty);
        if constructor.fields.len() != count {
            let message = format!(
                "`{}` has {} field{}, the pattern has {count}",
                name.text,
                constructor.fields.len(),
                if constructor.fields.len() == 1 {
                    ""
                } else {
                    "s"
                },
            );
            let range = pattern.range;
            self.report(Diagnostic::new(Code::ArgumentCount, range, message));
            return unknown;
        }
        constructor
            .fields
            .iter()
            .map(|it| it.with(&meant))
            .collect()
    }

    fn pattern_is(&mut self, pattern: &Pattern, value: ExprId, wanted: &Type, ty: &Type) -> Type {
        match self.solver.unify(wanted, ty) {
            Ok(ty) => ty,
            Err(differing) => {
                let (wanted, ty) = (self.solver.resolve(wanted), self.solver.resolve(ty));
                let message = format!("the pattern matches {wanted}, the value is {ty}");
                let range = pattern.range;
                let diagnostic = Diagnostic::new(Code::ArgumentType, range, message);
                let diagnostic = with_differing(diagnostic, &differing);
                self.report_with(diagnostic, &[value]);
                wanted
            }
        }
    }

    pub(super) fn matched(&mut self, expr: ExprId) -> Type {
        let body = self.body;
        let Expr::Match { arms, is_total, .. } = &body[expr] else {
            return Type::Unknown;
        };
        let mut ty = self.solver.hole();
        for arm in arms {
            let tail = self.tail(arm.body);
            ty = self.expect(&ty, tail, |wanted, is| {
                format!("the arms differ: those above are {wanted}, this one is {is}")
            });
        }
        if *is_total {
            let patterns: Vec<&Pattern> = arms.iter().map(|it| &it.pattern).collect();
            let unmatched = exhaustive::unmatched(&patterns, self.env);
            if !unmatched.is_empty() {
                let message = format!(
                    "the match has no arm for {}; `match?` may leave cases out",
                    some_of(&unmatched)
                );
                let range = body.range(expr);
                self.report(Diagnostic::new(Code::IncompleteMatch, range, message));
            }
        }
        ty
    }
}

/// Names the first of several cases, and says how many more there are.
fn some_of(cases: &[String]) -> String {
    let named = cases[..cases.len().min(MOST_NAMED)].join(", ");
    match cases.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named}, {more} more"),
    }
}
