//! Lowers matches: the arms are tried in order, each with one test of the whole pattern.

use std::sync::Arc;

use hir::relay::body::{Arm, Pattern, PatternKind};
use text_size::TextRange;

use super::super::function::Lowered;
use super::function::Lower;
use super::scopes::Scope;
use crate::bytecode::{Operand, Origin};
use crate::ir::StmtKind;
use crate::value::{Adt, Value};

/// The maximum number of arms. Each is tried in a branch of the previous one.
const MOST_ARMS: usize = 500;

impl Lower<'_, '_> {
    /// Returns the value of the first arm whose pattern matches.
    pub fn arms(&mut self, value: Operand, arms: &[Arm], range: TextRange) -> Lowered<Operand> {
        if arms.len() > MOST_ARMS {
            return self.refuse_at(range, format!("a match has more than {MOST_ARMS} arms"));
        }
        let Some((first, rest)) = arms.split_first() else {
            return self.builtin("relay.no_arm", vec![value], range);
        };
        let scope = self.scope(first.body);
        let arm = |it: &mut Self| {
            it.fields(value, &first.pattern)?;
            it.value(first.body)
        };
        let pattern = test(&first.pattern);
        if matches!(pattern, Value::Null) {
            return self.spliced(scope, arm);
        }
        let pattern = self.constant(pattern);
        let test = self.builtin("relay.matches", vec![value, pattern], first.pattern.range)?;
        let then = self.branch_in(scope, arm)?;
        let otherwise = self.branch_in(Scope::NONE, |it| it.arms(value, rest, range))?;
        let dst = self.register();
        let origin = Origin {
            range,
            ..Origin::default()
        };
        let branches = StmtKind::If {
            cond: test,
            dst,
            then,
            otherwise,
        };
        self.push(branches, origin);
        Ok(Operand::Reg(dst))
    }

    /// Binds the locals of a pattern to the parts of the value.
    fn fields(&mut self, value: Operand, pattern: &Pattern) -> Lowered<()> {
        let (getter, parts) = match &pattern.kind {
            PatternKind::Missing | PatternKind::Wildcard => return Ok(()),
            PatternKind::Local(local) => {
                self.know(*local, value);
                return Ok(());
            }
            PatternKind::Constructor { fields, .. } => ("relay.get_field", fields),
            PatternKind::Tuple(fields) => ("vm.builtin.tuple_getitem", fields),
        };
        for (at, part) in parts.iter().enumerate() {
            if matches!(part.kind, PatternKind::Missing | PatternKind::Wildcard) {
                continue;
            }
            let args = vec![value, Operand::Int(at as i64)];
            let field = self.builtin(getter, args, part.range)?;
            self.fields(field, part)?;
        }
        Ok(())
    }
}

/// Returns the pattern as a value, which is null where anything matches.
fn test(pattern: &Pattern) -> Value {
    match &pattern.kind {
        PatternKind::Missing | PatternKind::Wildcard | PatternKind::Local(_) => Value::Null,
        PatternKind::Constructor { name, fields } => Value::Adt(Arc::new(Adt {
            constructor: name.text.clone(),
            fields: fields.iter().map(test).collect(),
        })),
        PatternKind::Tuple(fields) => {
            let fields: Vec<Value> = fields.iter().map(test).collect();
            if fields.iter().all(|it| matches!(it, Value::Null)) {
                return Value::Null;
            }
            Value::tuple(fields)
        }
    }
}
