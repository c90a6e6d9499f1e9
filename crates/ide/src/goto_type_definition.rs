//! Goes from a value to the bindings of the shape variables in its StructInfo.

use hir::LazyFacts;
use hir::prim_facts::{Dim, PrimDefId, PrimDefKind, Target};
use hir::{Database, FunctionItem, SourceFile};
use relax::FunctionKind;
use relax::sinfo::StructInfo;
use text_size::TextRange;

use crate::analysis::{Analysis, Cancellable};
use crate::mentions::{self, Symbol};
use crate::semantics::{RelaxPosition, function_at};
use crate::types::{FilePosition, NavigationTarget};

impl Analysis {
    /// Returns the bindings of the shape variables in the StructInfo at a position.
    pub fn goto_type_definition(
        &self,
        position: FilePosition,
    ) -> Cancellable<Vec<NavigationTarget>> {
        self.with_file(position.file, |db, file| {
            goto_type_definition(db, file, position)
        })
    }
}

fn goto_type_definition(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Vec<NavigationTarget> {
    let mention = mentions::mention_at(db, file, position.offset);
    let bound = match mention.map(|mention| mention.symbol) {
        Some(Symbol::Var(function, var)) => {
            let facts = hir::lazy_facts(db, function);
            binders(db, function, facts, facts.var(var).struct_info)
        }
        Some(symbol @ Symbol::Shape(..)) => mentions::definitions(db, file, &symbol),
        Some(symbol @ Symbol::Python(..)) => of_python(db, file, &symbol, position),
        Some(Symbol::Tir(function, id)) => of_prim(db, function, id),
        Some(_) => Vec::new(),
        None => of_expression(db, file, position).unwrap_or_default(),
    };
    let targets = bound.into_iter();
    targets
        .map(|range| NavigationTarget::of_name(position.file, range))
        .collect()
}

/// Returns the bindings for the innermost expression whose StructInfo is known.
fn of_expression(
    db: &Database,
    file: SourceFile,
    position: FilePosition,
) -> Option<Vec<TextRange>> {
    let position = RelaxPosition::at(db, file, position.offset)?;
    if position.function.kind(db) != FunctionKind::Relax {
        return None;
    }
    let known = |sinfo: &StructInfo| !sinfo.is_unknown();
    let sinfo = position
        .expressions()
        .into_iter()
        .find_map(|expr| position.facts.value(expr).struct_info().filter(known))?;
    Some(binders(db, position.function, position.facts, &sinfo))
}

/// Returns where functions bind a shape variable that Python declares: the function at the cursor, or all functions.
fn of_python(
    db: &Database,
    file: SourceFile,
    symbol: &Symbol<'_>,
    position: FilePosition,
) -> Vec<TextRange> {
    let around = function_at(db, file, position.offset);
    let binds = |range: &TextRange| match (around, function_at(db, file, range.start())) {
        (Some(around), at) => at == Some(around),
        (None, at) => at.is_some_and(|it| it.kind(db) != FunctionKind::Python),
    };
    let mut found = mentions::definitions(db, file, symbol);
    found.retain(binds);
    found
}

/// Returns the definitions of the shape variables in the shape of a buffer, or in the bounds of a loop or an axis.
fn of_prim(db: &Database, function: FunctionItem<'_>, id: PrimDefId) -> Vec<TextRange> {
    let facts = hir::function_prim_facts(db, function);
    let dims: Vec<Dim> = match &facts.def(id).kind {
        PrimDefKind::Buffer(buffer) => buffer.shape.iter().flatten().copied().collect(),
        PrimDefKind::Loop(it) => [it.start, it.stop].into_iter().flatten().collect(),
        PrimDefKind::Axis(it) => [it.start, it.stop].into_iter().flatten().collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for mention in &facts.mentions {
        if let Target::Def(var) = mention.target
            && dims
                .iter()
                .any(|dim| dim.range.contains_range(mention.range))
            && let def = facts.def(var)
            && matches!(def.kind, PrimDefKind::ShapeVar(_))
        {
            let range = def.name_range + function.offset(db);
            if !found.contains(&range) {
                found.push(range);
            }
        }
    }
    found
}

/// Returns the binding of each shape variable of `sinfo`, in the order of its dimensions.
fn binders(
    db: &Database,
    function: FunctionItem<'_>,
    facts: &LazyFacts,
    sinfo: &StructInfo,
) -> Vec<TextRange> {
    let mut found = Vec::new();
    sinfo.for_each_sym_var(&mut |var| {
        let fact = facts.sym_of(var);
        if let Some(at) = fact.and_then(|sym| sym.bound_at) {
            let range = at + function.offset(db);
            if !found.contains(&range) {
                found.push(range);
            }
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn check(fixture: &str) {
        let fixture = Fixture::new(fixture);
        let found = fixture.analysis.goto_type_definition(fixture.position());
        let found: Vec<_> = found.unwrap().iter().map(|it| it.name_range).collect();
        let expected: Vec<_> = fixture.expected().into_iter().map(|(at, _)| at).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn values_lead_to_the_bindings_of_their_shape_variables() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n", 4), "float32"),
#                   ^
      w: R.Tensor((4, "m"), "float32")):
#                      ^
    y = R.matmul(x, w)
    return $0y
"#,
        );
    }

    #[test]
    fn a_static_shape_has_no_definition() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    return $0x
"#,
        );
    }

    #[test]
    fn the_parenthesis_of_a_call_means_its_result() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor(("n",), "float32")):
#                   ^
    return R.exp(x)$0
"#,
        );
    }

    #[test]
    fn prim_func_buffers_and_loops_lead_to_shape_variables() {
        let program = |cursor: &str| {
            let text = r#"
from tvm.script import tir as T

@T.prim_func
def f(a: T.handle):
    n = T.int64()
#   ^
    A = T.match_buffer(a, (n, 4), "float32")
    for i in range(n):
        A[i, 0] = T.float32(0)
"#;
            text.replacen(cursor, &format!("$0{cursor}"), 1)
        };
        check(&program("A[i, 0]"));
        check(&program("i, 0]"));
    }

    #[test]
    fn file_shape_variables_lead_to_their_binding() {
        let program = |cursor: &str| {
            let text = r#"
from tvm.script import relax as R
from tvm.relax import TypeVar
n = TypeVar("n")

@R.function
def f(x: R.Tensor((n, 4), "float32")):
#                  ^
    y = R.reshape(x, (n * 4,))
    return y
"#;
            text.replacen(cursor, &format!("$0{cursor}"), 1)
        };
        check(&program("n * 4"));
        check(&program("n = TypeVar"));
        check(&program("n\")"));
    }
}
