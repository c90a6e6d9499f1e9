//! Which functions call which: Relax functions and PrimFuncs of one module alike.

use hir::{Database, FunctionItem, FunctionKind, SourceFile, file_items};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use crate::locate::{function_at, function_range, name_range};
use crate::mentions::{self, Symbol, calls_of};
use crate::types::{Call, CallItem, SymbolKind};

/// The function that is named at a position, or else the one around it.
pub fn prepare(db: &Database, file: SourceFile, offset: TextSize) -> Option<CallItem> {
    let named = mentions::mention_at(db, file, offset).map(|mention| mention.symbol);
    let function = match named {
        Some(Symbol::Function(function)) => function,
        _ => return None,
    };
    item(db, file, function)
}

/// Who calls the function whose name is at `offset`, with the places of the calls.
pub fn incoming(db: &Database, file: SourceFile, offset: TextSize) -> Vec<Call> {
    let Some(callee) = function_at(db, file, offset) else {
        return Vec::new();
    };
    let name = callee.name(db);
    let mut calls = Vec::new();
    for &caller in &file_items(db, file).functions {
        if caller.module(db) != callee.module(db) {
            continue;
        }
        let start = caller.offset(db);
        let named = calls_of(db, caller).iter().filter(|call| call.name == name);
        let ranges: Vec<TextRange> = named.map(|call| call.range + start).collect();
        if !ranges.is_empty()
            && mentions::function_named(db, file, caller.module(db), &name) == Some(callee)
            && let Some(function) = item(db, file, caller)
        {
            calls.push(Call { function, ranges });
        }
    }
    calls
}

/// Whom the function at `offset` calls, in order of the first call.
pub fn outgoing(db: &Database, file: SourceFile, offset: TextSize) -> Vec<Call> {
    let Some(caller) = function_at(db, file, offset) else {
        return Vec::new();
    };
    let start = caller.offset(db);
    let mut calls: Vec<Call> = Vec::new();
    let mut known: FxHashMap<&str, Option<usize>> = FxHashMap::default();
    for call in calls_of(db, caller) {
        let at = *known.entry(&call.name).or_insert_with(|| {
            let callee = mentions::function_named(db, file, caller.module(db), &call.name)?;
            let function = item(db, file, callee)?;
            let ranges = Vec::new();
            calls.push(Call { function, ranges });
            Some(calls.len() - 1)
        });
        if let Some(at) = at {
            calls[at].ranges.push(call.range + start);
        }
    }
    calls
}

fn item(db: &Database, file: SourceFile, function: FunctionItem<'_>) -> Option<CallItem> {
    let items = file_items(db, file);
    let module = function
        .module(db)
        .and_then(|at| items.modules.get(at as usize));
    Some(CallItem {
        name: function.name(db).to_string(),
        kind: if function.kind(db) == FunctionKind::PrimFunc {
            SymbolKind::PrimFunc
        } else {
            SymbolKind::Function
        },
        module: module.map(|module| module.name(db).to_string()),
        range: function_range(db, function),
        name_range: name_range(db, function)?,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::Call;
    use crate::fixture::Fixture;

    const PROGRAM: &str = r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            B[i] = A[i]

    @R.function
    def helper(x: R.Tensor((4,), "float32")):
        y = R.call_tir(Module.kernel, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = cls.helper(x)
        z = R.call_tir(cls.kernel, (y,), out_sinfo=R.Tensor((4,), "float32"))
        return cls.helper(z)
"#;

    fn show(fixture: &Fixture, calls: &[Call]) -> String {
        let lines: Vec<String> = calls
            .iter()
            .map(|call| {
                let places: Vec<_> = call.ranges.iter().map(|&at| fixture.show(at)).collect();
                let it = &call.function;
                format!("{:?} {}: {}\n", it.kind, it.name, places.join(" "))
            })
            .collect();
        lines.concat()
    }

    fn check(at: &str, incoming: Expect, outgoing: Expect) {
        let marked = PROGRAM.replacen(at, &format!("$0{at}"), 1);
        let fixture = Fixture::new(&marked);
        let position = fixture.position();
        let item = fixture.analysis.call_hierarchy(position).unwrap().unwrap();
        let at = crate::FilePosition {
            offset: item.name_range.start(),
            ..position
        };
        let calls = fixture.analysis.incoming_calls(at).unwrap();
        incoming.assert_eq(&show(&fixture, &calls));
        let calls = fixture.analysis.outgoing_calls(at).unwrap();
        outgoing.assert_eq(&show(&fixture, &calls));
    }

    #[test]
    fn relax_functions_and_prim_funcs_call_and_are_called() {
        check(
            "kernel(A",
            expect![[r#"
            Function helper: 13:31
            Function main: 20:28
        "#]],
            expect![[r#""#]],
        );
        check(
            "helper(x: R",
            expect![[r#"
            Function main: 19:17 21:20
        "#]],
            expect![[r#"
            PrimFunc kernel: 13:31
        "#]],
        );
        check(
            "main(",
            expect![[r#""#]],
            expect![[r#"
            Function helper: 19:17 21:20
            PrimFunc kernel: 20:28
        "#]],
        );
    }

    #[test]
    fn a_use_stands_for_the_function_that_it_names() {
        let fixture = Fixture::new(&PROGRAM.replacen("cls.helper", "cls.$0helper", 1));
        let item = fixture.analysis.call_hierarchy(fixture.position());
        assert_eq!(item.unwrap().unwrap().name, "helper");
    }

    #[test]
    fn a_variable_has_no_calls() {
        let fixture = Fixture::new(&PROGRAM.replacen("y = cls", "$0y = cls", 1));
        let item = fixture.analysis.call_hierarchy(fixture.position());
        assert_eq!(item.unwrap(), None);
    }
}
