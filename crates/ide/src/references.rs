//! Finds every mention of the symbol at the cursor.

use hir::{Database, SourceFile};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::mentions;
use crate::relay;
use crate::types::FilePosition;

impl Analysis {
    /// Returns every mention of the symbol at a position.
    pub fn references(
        &self,
        position: FilePosition,
        definitions: bool,
    ) -> Cancellable<Vec<TextRange>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                let all = relay::navigation::references(relay.file, offset, definitions);
                return all.into_iter().map(|it| relay.outer(it)).collect();
            }
            references(db, file, position.offset, definitions)
        })
    }
}

/// Returns the mentions in order. `definitions` says whether bindings and declarations are included.
fn references(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
    definitions: bool,
) -> Vec<TextRange> {
    let Some(mention) = mentions::mention_at(db, file, offset) else {
        return Vec::new();
    };
    mentions::mentions_of(db, file, &mention.symbol)
        .into_iter()
        .filter(|mention| definitions || !mention.access.is_definition())
        .map(|mention| mention.range)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn check(fixture: &str) {
        let fixture = Fixture::new(fixture);
        let found = fixture.analysis.references(fixture.position(), true);
        let expected: Vec<_> = fixture.expected().into_iter().map(|(at, _)| at).collect();
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn a_name_bound_again_is_another_variable() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        y = R.exp(x)
        $0y = R.exp(y)
#       ^
        z = R.add(y, y)
#                 ^
#                    ^
        R.output(y, z)
#                ^
    return R.add(y, z)
#                ^
"#,
        );
    }

    #[test]
    fn python_names_functions_through_their_module() {
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def $0main(x: R.Tensor((4,), "float32")):
#       ^^^^
        return x

@I.ir_module
class Other:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x

def test(vm):
    mod = Module
    alias = mod
    print(Module["main"], Module.main, alias["main"], Other["main"], vm["main"])
#                 ^^^^
#                                ^^^^
#                                             ^^^^
    mod.get_global_var("main")
#                       ^^^^
    mod = vm.change(mod)
    mod["main"]
"#,
        );
    }

    #[test]
    fn both_branches_of_an_if_bind_one_variable() {
        check(
            r#"
from tvm.script import relax as R

@R.function
def f(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
    if c:
        y = R.exp(x)
        y = R.exp(y)
#       ^
    else:
        $0y = R.abs(x)
#       ^
    return y
#          ^
"#,
        );
    }

    #[test]
    fn a_shape_variable_is_found_in_strings_and_out_of_them() {
        check(
            r#"
from tvm.script import relax as R, tir as T

@R.function
def f(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n * 4",), "float32"):
#                   ^
#                                                     ^
    $0n = T.int64()
#   ^
    return R.reshape(x, (n * 4,))
#                        ^
"#,
        );
    }

    #[test]
    fn a_function_is_found_by_its_symbol_and_through_the_module() {
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def hel$0per(x: R.Tensor((4,), "float32")):
#       ^^^^^^
        R.func_attr({"global_symbol": "helper"})
#                                      ^^^^^^
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = Module.helper(x)
#                  ^^^^^^
        return cls.helper(y)
#                  ^^^^^^
"#,
        );
    }

    #[test]
    fn a_type_variable_is_one_name_for_the_whole_file() {
        let fixture = Fixture::new(
            r#"
from typing import TypeVar
from tvm.script import ir as I, relax as R

n = TypeVar("n")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(($0n, 4), "float32")) -> R.Tensor((n, 4), "float32"):
        return x
"#,
        );
        let found = fixture.analysis.references(fixture.position(), true);
        let found: Vec<_> = found.unwrap().iter().map(|&at| fixture.show(at)).collect();
        assert_eq!(found, ["5:1", "5:14", "9:27", "9:59"]);
    }

    #[test]
    fn a_buffer_is_found_where_it_is_made_read_and_written() {
        check(
            r#"
from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
#                                   ^
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            T.writes(B[vi])
#                    ^
            $0B[vi] = A[vi]
#           ^
            B[vi] = B[vi] + 1.0
#           ^
#                   ^
"#,
        );
    }

    #[test]
    fn an_axis_belongs_to_its_block() {
        check(
            r#"
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.sblock("first"):
            vi = T.axis.spatial(4, i)
#           ^^
            A[vi] = 0.0
#             ^^
    for i in range(4):
        with T.sblock("second"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi]
"#
            .replacen("A[vi] = 0.0", "A[$0vi] = 0.0", 1)
            .as_str(),
        );
    }

    #[test]
    fn a_prim_func_is_found_from_the_call_that_lowers_to_it() {
        check(
            r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
#       ^^^^^^
        T.func_attr({"global_symbol": "kernel", "tir.noalias": True})
#                                      ^^^^^^
        for i in range(4):
            B[i] = A[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.ker$0nel, (x,), out_sinfo=R.Tensor((4,), "float32"))
#                          ^^^^^^
        return y
"#,
        );
    }

    #[test]
    fn the_rfc_dialect_names_functions_without_cls() {
        check(
            r#"
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor[(n, 4), "float32"]):
#       ^^^^^^
        with R.dataflow():
            y = R.exp(x)
            R.outputs(y)
        return y

    @R.function
    def main(x: R.Tensor[(n, 4), "float32"]):
        return hel$0per(x)
#              ^^^^^^
"#,
        );
    }
}
