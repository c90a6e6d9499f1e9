//! Blocks and threads of a PrimFunc, read from its text where its facts do not keep them.

use syntax::ast::{ArgList, AstNode, CallExpr, Expr};
use syntax::{SyntaxKind as K, SyntaxNode};
use text_size::TextRange;

/// The calls of `T.name` in a part of a function.
fn calls<'t>(
    tree: &SyntaxNode,
    within: TextRange,
    name: &'t str,
) -> impl Iterator<Item = CallExpr> + use<'t> {
    let calls = tree.descendants().filter_map(CallExpr::cast);
    calls.filter(move |call| {
        let callee = call.syntax().first_child();
        let last = callee.filter(|it| it.kind() == K::ATTRIBUTE_EXPR);
        let last = last.and_then(|it| it.last_token());
        within.contains_range(call.syntax().text_range())
            && last.is_some_and(|it| it.text() == name)
    })
}

fn args(call: &CallExpr) -> Vec<Expr> {
    let list = call.arg_list();
    let args = list.iter().flat_map(ArgList::args);
    args.filter_map(|arg| arg.value()).collect()
}

/// The regions that a block says it reads (`reads`) or writes (`writes`), as they are written.
pub fn regions(tree: &SyntaxNode, block: TextRange, name: &str) -> Vec<String> {
    let of_block = |call: &CallExpr| {
        let with = call
            .syntax()
            .ancestors()
            .find(|it| it.kind() == K::WITH_STMT);
        with.is_some_and(|with| with.text_range() == block)
    };
    let calls = calls(tree, block, name).filter(of_block);
    let regions = calls.flat_map(|call| args(&call));
    regions.map(|it| it.syntax().text().to_string()).collect()
}

/// How many threads `T.launch_thread` launches: of a variable at one of `mentions`, or as what a `with` names.
pub fn launched(
    tree: &SyntaxNode,
    mentions: &[TextRange],
    definition: TextRange,
) -> Option<String> {
    let whole = tree.text_range();
    let mut launches = calls(tree, whole, "launch_thread").map(|call| (args(&call), call));
    let (args, _) = launches.find(|(args, call)| {
        let Some(first) = args.first() else {
            return false;
        };
        let by_name = mentions.contains(&first.syntax().text_range());
        let item = call
            .syntax()
            .parent()
            .filter(|it| it.kind() == K::WITH_ITEM);
        let named = item.is_some_and(|item| {
            mentions
                .iter()
                .any(|it| item.text_range().contains_range(*it))
        });
        by_name || named && definition.contains_range(call.syntax().text_range())
    })?;
    Some(args.get(1)?.syntax().text().to_string())
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    const PROGRAM: &str = r#"
from tvm.script import tir as T

@T.prim_func
def scale(a: T.handle, n: T.int64):
    A = T.match_buffer(a, (n, n + 1), "float16")
    tx = T.env_thread("threadIdx.x")
    T.launch_thread(tx, 32)
    bx = T.launch_thread("blockIdx.x", n)
    E = T.allocate([4, 8], "float16", "shared")
    p: T.handle("float32", "local")
    for i, j in T.grid(n, n + 1):
        with T.block("scale"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj], A[vi, 0])
            T.writes(A[vi, vj])
            with T.block("inner"):
                T.reads(A[0, 0])
                A[vi, vj] = A[vi, vj] + T.float16(tx)
"#;

    /// What the hover at `at`, a place of the program whose cursor is marked, says below its title.
    fn shown(at: &str) -> (String, String) {
        let plain = at.replacen("$0", "", 1);
        let fixture = Fixture::new(&PROGRAM.replacen(&plain, at, 1));
        let hover = fixture.analysis.hover(fixture.position(), &fixture.lines);
        let markdown = hover.unwrap().expect("something is known").markdown;
        let (title, text) = markdown.split_once("\n```\n").expect("a title");
        (title.replace("```python\n", ""), text.to_owned())
    }

    #[test]
    fn a_block_says_what_it_reads_and_writes_and_not_what_is_inside_of_it() {
        let (title, text) = shown("T.block(\"sc$0ale\")");
        assert_eq!(title, "block scale");
        let parts: Vec<&str> = text.split("\n\n").collect();
        let expected = [
            "spatial vi in [0, n), spatial vj in [0, n + 1)",
            "reads `A[vi, vj]`, `A[vi, 0]`",
            "writes `A[vi, vj]`",
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_thread_axis_says_how_many_threads_are_launched() {
        let text = |at| shown(at).1;
        assert_eq!(
            text("T.float16(t$0x)"),
            "thread axis `threadIdx.x`, of `32`"
        );
        assert_eq!(text("$0bx = T."), "thread loop over `blockIdx.x`");
    }

    #[test]
    fn memory_is_a_formula_where_it_is_not_known() {
        let text = |at| shown(at).1;
        let buffer =
            "buffer matched to memory that exists, scope `global`, `2 * n * (n + 1)` bytes";
        assert_eq!(text("$0A = T.match"), buffer);
    }

    #[test]
    fn what_a_buffer_has_is_explained() {
        let member = PROGRAM.replace("T.reads(A[0, 0])", "T.evaluate(A.vload([0, 0]))");
        let fixture = Fixture::new(&member.replace("A.vload", "A.vlo$0ad"));
        let hover = fixture.analysis.hover(fixture.position(), &fixture.lines);
        let markdown = hover.unwrap().expect("a member").markdown;
        assert!(
            markdown.contains("A.vload(begin, dtype=None, predicate=None)"),
            "{markdown}"
        );
    }

    #[test]
    fn pointers_are_shown_as_they_are_declared() {
        let expected = |title: &str, text: &str| (title.to_owned(), text.to_owned());
        let allocated = "pointer to memory of its own, 32 elements in 64 B";
        assert_eq!(
            shown("$0E = T.alloc"),
            expected("E: T.handle(\"float16\", \"shared\")", allocated)
        );
        assert_eq!(
            shown("scale($0a: T"),
            expected("a: T.handle", "handle, with the buffer `A`")
        );
        assert_eq!(
            shown("$0p: T.handle"),
            expected("p: T.handle(\"float32\", \"local\")", "handle")
        );
    }
}
