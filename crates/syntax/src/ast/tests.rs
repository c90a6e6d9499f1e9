//! Tests of the typed views over small programs.

use expect_test::{Expect, expect};

use super::{
    Arg, AstNode, BinaryOp, Expr, FStringPart, NumberValue, Pattern, SourceFile, Stars, Stmt,
    StringLit, StringPiece,
};
use crate::{AstPtr, SyntaxKind, SyntaxNode, parse};

/// The first node of a type in a text.
fn first<N: AstNode>(text: &str) -> N {
    parse(text)
        .syntax()
        .descendants()
        .find_map(N::cast)
        .expect("the text holds such a node")
}

fn text(node: Option<impl AstNode>) -> String {
    node.map_or_else(|| "-".to_owned(), |it| it.syntax().text().to_string())
}

fn texts(nodes: impl Iterator<Item = impl AstNode>) -> Vec<String> {
    nodes.map(|it| text(Some(it))).collect()
}

fn stmts(text: &str) -> Vec<SyntaxKind> {
    parse(text)
        .tree()
        .stmts()
        .map(|it| it.syntax().kind())
        .collect()
}

#[test]
fn function_parts_are_found() {
    let Stmt::FunctionDef(function) =
        first::<Stmt>("@a\n@b(c)\nasync def f[n: int](x: T, /, *y, k=1, **z) -> R: pass\n")
    else {
        panic!("a function");
    };
    assert_eq!(
        texts(function.decorators().filter_map(|it| it.expr())),
        ["a", "b(c)"]
    );
    assert!(function.is_async());
    assert_eq!(function.name().unwrap().text(), "f");
    assert_eq!(texts(function.type_params().unwrap().params()), ["n: int"]);
    assert_eq!(text(function.ret()), "R");
    assert_eq!(texts(function.body().unwrap().stmts()), ["pass"]);
    let params: Vec<_> = function.params().unwrap().params().collect();
    let names: Vec<_> = params
        .iter()
        .map(|it| it.name().unwrap().text().to_owned())
        .collect();
    assert_eq!(names, ["x", "y", "k", "z"]);
    assert_eq!(
        params.iter().map(super::Param::stars).collect::<Vec<_>>(),
        [Stars::None, Stars::One, Stars::None, Stars::Two]
    );
    assert_eq!(text(params[0].annotation()), "T");
    assert_eq!(text(params[2].annotation()), "-");
    assert_eq!(text(params[2].default()), "1");
}

#[test]
fn bare_star_is_no_parameter() {
    let list = first::<super::ParamList>("def f(a, *, b): pass");
    assert_eq!(texts(list.params()), ["a", "b"]);
    assert!(list.star().is_some());
    assert!(list.slash().is_none());
}

#[test]
fn assignment_has_a_target_before_each_sign() {
    let Stmt::AssignStmt(assign) = first("a, b = c = d") else {
        panic!("an assignment")
    };
    assert_eq!(texts(assign.targets()), ["a, b", "c"]);
    assert_eq!(text(assign.value()), "d");
}

#[test]
fn half_typed_assignment_has_no_value() {
    let Stmt::AssignStmt(assign) = first("a = b = ") else {
        panic!("an assignment")
    };
    assert_eq!(texts(assign.targets()), ["a", "b"]);
    assert_eq!(text(assign.value()), "-");
}

#[test]
fn annotation_is_not_the_value() {
    let Stmt::AnnAssignStmt(assign) = first("x: T = v") else {
        panic!("an annotated assignment")
    };
    assert_eq!(text(assign.target()), "x");
    assert_eq!(text(assign.annotation()), "T");
    assert_eq!(text(assign.value()), "v");
    let Stmt::AnnAssignStmt(assign) = first("x: = v") else {
        panic!("an annotated assignment")
    };
    assert_eq!(text(assign.annotation()), "-");
}

#[test]
fn augmented_assignment_names_its_operation() {
    let Stmt::AugAssignStmt(assign) = first("x //= v") else {
        panic!("an augmented assignment")
    };
    assert_eq!(text(assign.target()), "x");
    assert_eq!(assign.op().unwrap().op, BinaryOp::FloorDiv);
    assert_eq!(text(assign.value()), "v");
}

#[test]
fn if_has_a_branch_per_test() {
    let Stmt::IfStmt(stmt) = first("if a: x\nelif b: y\nelse: z\n") else {
        panic!("an if")
    };
    let tests: Vec<_> = stmt.branches().map(|it| text(it.test)).collect();
    assert_eq!(tests, ["a", "b"]);
    let suites: Vec<_> = stmt.branches().map(|it| text(it.suite)).collect();
    assert_eq!(suites, ["x\n", "y\n"]);
    assert_eq!(text(stmt.else_suite()), "z\n");
}

#[test]
fn with_items_may_stand_in_parentheses() {
    let Stmt::WithStmt(stmt) = first("with (a as b, c): pass") else {
        panic!("a with")
    };
    let items: Vec<_> = stmt
        .items()
        .map(|it| (text(it.context()), text(it.target())))
        .collect();
    assert_eq!(items, [("a".into(), "b".into()), ("c".into(), "-".into())]);
}

#[test]
fn import_from_counts_its_dots() {
    let Stmt::ImportFromStmt(stmt) = first("from ....a.b import c as d, e") else {
        panic!("an import")
    };
    assert_eq!(stmt.level(), 4);
    assert_eq!(stmt.module().unwrap().dotted(), "a.b");
    let names: Vec<_> = stmt.names().map(|it| it.path().unwrap().dotted()).collect();
    assert_eq!(names, ["c", "e"]);
    assert_eq!(stmt.names().next().unwrap().alias().unwrap().text(), "d");
}

#[test]
fn arguments_say_how_they_are_passed() {
    let Expr::CallExpr(call) = first("f(a, *b, k=c, **d)") else {
        panic!("a call")
    };
    assert_eq!(text(call.callee()), "f");
    let args: Vec<Arg> = call.arg_list().unwrap().args().collect();
    assert_eq!(
        args.iter().map(|it| text(it.value())).collect::<Vec<_>>(),
        ["a", "b", "c", "d"]
    );
    assert_eq!(
        args.iter().map(Arg::stars).collect::<Vec<_>>(),
        [Stars::None, Stars::One, Stars::None, Stars::Two]
    );
    assert_eq!(args[2].keyword().unwrap().text(), "k");
}

#[test]
fn binary_operands_are_left_and_right_of_the_operator() {
    let Expr::BinaryExpr(binary) = first("-a - +b") else {
        panic!("a binary expression")
    };
    assert_eq!(
        (text(binary.lhs()), binary.op(), text(binary.rhs())),
        ("-a".into(), Some(BinaryOp::Sub), "+b".into())
    );
}

#[test]
fn comparison_is_a_chain() {
    let Expr::CompareExpr(compare) = first("a < b is not c not in d") else {
        panic!("a comparison")
    };
    assert_eq!(texts(compare.operands()), ["a", "b", "c", "d"]);
    assert_eq!(
        compare
            .ops()
            .map(super::CompareOp::text)
            .collect::<Vec<_>>(),
        ["<", "is not", "not in"]
    );
}

#[test]
fn slice_has_three_parts() {
    let slice = |text: &str| first::<super::SliceExpr>(text).parts();
    let parts = slice("a[b:c:d]");
    assert_eq!(
        (text(parts.lower), text(parts.upper), text(parts.step)),
        ("b".into(), "c".into(), "d".into())
    );
    let parts = slice("a[::d]");
    assert_eq!(
        (text(parts.lower), text(parts.upper), text(parts.step)),
        ("-".into(), "-".into(), "d".into())
    );
}

#[test]
fn subscript_with_commas_has_a_tuple() {
    let Expr::SubscriptExpr(subscript) = first("a[b, c:d]") else {
        panic!("a subscript")
    };
    let Some(Expr::TupleExpr(tuple)) = subscript.index() else {
        panic!("a tuple")
    };
    assert_eq!(texts(tuple.elements()), ["b", "c:d"]);
    assert!(!tuple.is_parenthesized());
}

#[test]
fn conditional_begins_with_its_value() {
    let Expr::IfExpr(expr) = first("a if b else c") else {
        panic!("a conditional")
    };
    assert_eq!(
        (text(expr.then()), text(expr.test()), text(expr.or_else())),
        ("a".into(), "b".into(), "c".into())
    );
}

#[test]
fn dict_entries_have_keys_or_stars() {
    let Expr::DictExpr(dict) = first("{a: b, **c}") else {
        panic!("a dictionary")
    };
    let entries: Vec<_> = dict
        .entries()
        .map(|it| (text(it.key()), text(it.value())))
        .collect();
    assert_eq!(
        entries,
        [("a".into(), "b".into()), ("-".into(), "c".into())]
    );
}

#[test]
fn case_has_pattern_guard_and_suite() {
    let Stmt::MatchStmt(stmt) = first("match x:\n    case C(1, k=_) | y if z: pass\n") else {
        panic!("a match")
    };
    assert_eq!(text(stmt.subject()), "x");
    let case = stmt.cases().next().unwrap();
    assert!(
        matches!(case.pattern(), Some(Pattern::OrPattern(it)) if it.alternatives().count() == 2)
    );
    assert_eq!(text(case.guard().unwrap().test()), "z");
}

#[test]
fn numbers_have_values() {
    let value = |text: &str| first::<super::NumberLit>(text).value();
    assert_eq!(value("1_000"), Some(NumberValue::Int(1000)));
    assert_eq!(value("0xFF"), Some(NumberValue::Int(255)));
    assert_eq!(value("0o17"), Some(NumberValue::Int(15)));
    assert_eq!(value("0b_11"), Some(NumberValue::Int(3)));
    assert_eq!(value("1_0.5e1"), Some(NumberValue::Float(105.0)));
    assert_eq!(value(".5"), Some(NumberValue::Float(0.5)));
    assert_eq!(value("5."), Some(NumberValue::Float(5.0)));
    assert_eq!(value("3J"), Some(NumberValue::Imaginary(3.0)));
    let big = "340282366920938463463374607431768211456";
    assert_eq!(value(big), Some(NumberValue::BigInt(big.to_owned())));
    assert_eq!(value("0x"), None);
}

#[test]
fn strings_have_values() {
    let value = |text: &str| first::<StringLit>(text).value();
    assert_eq!(value("'a' \"b\"").as_deref(), Some("ab"));
    assert_eq!(
        value(r#""\n\t\x41\u0042\U00000043\101\q\"""#).as_deref(),
        Some("\n\tABCA\\q\"")
    );
    assert_eq!(value(r"r'\n'").as_deref(), Some("\\n"));
    assert_eq!(value("'''a\r\nb'''").as_deref(), Some("a\nb"));
    assert_eq!(value("'a\\\nb'").as_deref(), Some("ab"));
    assert_eq!(value("f'a{{b}}'").as_deref(), Some("a{b}"));
    assert_eq!(value("f'{a}'"), None);
    assert_eq!(value("b'a'"), None);
    assert_eq!(value("t'a'"), None);
    assert_eq!(value(r"f'\N{DASH}'"), None);
    assert_eq!(value(r"'\N{DASH}'"), None);
    assert_eq!(value("'unclosed").as_deref(), Some("unclosed"));
}

#[test]
fn string_names_its_formatted_pieces() {
    let string: StringLit = first("'a' f'b{c!r:>{d}}' ");
    let pieces: Vec<_> = string.pieces().collect();
    let [StringPiece::Plain(_), StringPiece::Formatted(formatted)] = &pieces[..] else {
        panic!("two pieces")
    };
    let parts: Vec<_> = formatted.parts().collect();
    let [FStringPart::Text(b), FStringPart::Field(field)] = &parts[..] else {
        panic!("two parts")
    };
    assert_eq!(b, "b");
    assert_eq!(text(field.expr()), "c");
    assert_eq!(field.conversion().unwrap().text(), "r");
    assert_eq!(texts(field.format_spec().unwrap().fields()), ["{d}"]);
}

#[test]
fn statements_of_long_files_are_found_through_chunks() {
    let text = "x = 1\ny = 2\n".repeat(250);
    let parsed = parse(&text);
    assert!(
        parsed
            .syntax()
            .children()
            .any(|it| it.kind() == SyntaxKind::CHUNK)
    );
    assert_eq!(parsed.tree().stmts().count(), 500);
}

#[test]
fn soft_keywords_are_names_elsewhere() {
    let kinds = stmts(
        "match = case\ntype = _\nmatch(x)\nmatch[x]\nmatch.x\nmatch -x\ntype(x)\ncase: int\n",
    );
    let expected = expect![[r#"
        [
            ASSIGN_STMT,
            ASSIGN_STMT,
            EXPR_STMT,
            EXPR_STMT,
            EXPR_STMT,
            EXPR_STMT,
            EXPR_STMT,
            ANN_ASSIGN_STMT,
        ]
    "#]];
    check(expected, &kinds);
}

fn check(expected: Expect, kinds: &[SyntaxKind]) {
    expected.assert_debug_eq(&kinds);
}

#[test]
fn function_is_a_root_of_its_own() {
    let parsed = parse("# before\n\n@d\ndef f(x):\n    return x  # after\n# behind\n");
    let function = parsed.tree().stmts().next().unwrap();
    let green = function.syntax().green().into_owned();
    let root = SyntaxNode::new_root(green);
    assert_eq!(root.text(), "@d\ndef f(x):\n    return x  # after\n");
    assert!(super::FunctionDef::cast(root).is_some());
}

#[test]
fn pointers_lead_back_to_their_nodes() {
    let parsed = parse("def f(x):\n    return g(x, [y for y in x])\n");
    let root = parsed.syntax();
    for expr in root.descendants().filter_map(Expr::cast) {
        let ptr = AstPtr::new(&expr);
        assert_eq!(ptr.to_node(&root), Some(expr));
    }
    let file: SourceFile = parsed.tree();
    assert_eq!(AstPtr::new(&file).to_node(&root), Some(file));
}
