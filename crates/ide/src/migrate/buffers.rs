//! Buffer parameters of a PrimFunc with shape variables of TVM 0.27, rewritten as handles and `T.match_buffer`.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};
use text_size::TextRange;

use super::functions::FunctionNames;
use super::type_vars::start_besides;
use super::{Pass, args_of};

/// Rewrites `def f(A: T.Buffer((n, "m"), "float32")):` as `def f(var_A: T.handle):`. The body then starts with
/// `n = T.int64()`, the declaration of `m`, and `A = T.match_buffer(var_A, (n, m), "float32")`. Returns `true` if the
/// function no longer needs a `TypeVar`.
pub fn match_in_body(
    pass: &mut Pass<'_>,
    function: &ast::FunctionDef,
    is_variable: impl Fn(&str) -> bool,
) -> bool {
    let Some((names, body)) = pass.names_around(function.syntax()).zip(function.body()) else {
        return false;
    };
    let is_variable = |name: &str| is_variable(name) && names.bound(name).is_empty();
    let used = names_of(function.syntax());
    let variables: Vec<String> = used.into_iter().filter(|it| is_variable(it)).collect();
    let mut declarations: Vec<ast::AssignStmt> = Vec::new();
    let mut known = FxHashSet::default();
    let mut buffers = Vec::new();
    let params = function.params();
    for param in params.iter().flat_map(|it| it.params().collect::<Vec<_>>()) {
        let Some(annotation) = param.annotation() else {
            continue;
        };
        let quoted = quoted_dimensions(&annotation);
        let quoted_words = quoted.iter().flat_map(|it| words(pass, it));
        let mut mentioned: Vec<String> = names_of(annotation.syntax());
        mentioned.extend(quoted_words);
        let declared = mentioned
            .iter()
            .filter_map(|it| declaration(pass, &names, &body, it));
        let declared: Vec<ast::AssignStmt> = declared.collect();
        let has_variables = mentioned.iter().any(|it| is_variable(it));
        if !has_variables && declared.is_empty() && quoted.is_empty() {
            continue;
        }
        let Some(buffer) = HeaderBuffer::of(pass, &param, &annotation, &quoted, &names) else {
            return false;
        };
        buffers.push(buffer);
        for it in declared {
            if known.insert(it.syntax().clone()) {
                declarations.push(it);
            }
        }
    }
    let removed: Vec<TextRange> = declarations.iter().map(AstNode::range).collect();
    let (Some(first), Some(at)) = (buffers.first(), start_besides(pass, &body, &removed)) else {
        return false;
    };
    let (root, line) = (first.root.clone(), pass.line_start(at));
    let indent = &pass.text[line..at.into()];
    let mut lines = String::new();
    for variable in &variables {
        let _ = write!(lines, "{variable} = {root}.int64()\n{indent}");
    }
    for declaration in &declarations {
        let _ = write!(lines, "{}\n{indent}", pass.slice(declaration.range()));
    }
    for HeaderBuffer {
        name, handle, args, ..
    } in &buffers
    {
        let _ = write!(
            lines,
            "{name} = {root}.match_buffer({handle}, {args})\n{indent}"
        );
    }
    for it in buffers {
        pass.replace(it.range, format!("{}: {root}.handle", it.handle));
    }
    if let Some(list) = function.type_params() {
        pass.replace(list.range(), "");
    }
    for declaration in &declarations {
        pass.remove_stmt(declaration);
    }
    pass.insert(at, lines);
    true
}

/// A buffer parameter that becomes a handle.
struct HeaderBuffer {
    /// From its name to the end of its annotation.
    range: TextRange,
    name: String,
    handle: String,
    /// What `T` is called.
    root: String,
    args: String,
}

impl HeaderBuffer {
    fn of(
        pass: &Pass<'_>,
        param: &ast::Param,
        annotation: &Expr,
        quoted: &[SyntaxNode],
        names: &FunctionNames,
    ) -> Option<HeaderBuffer> {
        let Expr::CallExpr(call) = annotation else {
            return None;
        };
        let callee = call.callee()?;
        let name = param.name()?;
        let is_buffer = pass.script_name(&callee).as_deref() == Some("T.Buffer");
        let (root, _) = pass.slice(callee.range()).rsplit_once('.')?;
        let given = args_of(call);
        let range = TextRange::new(given.first()?.range().start(), given.last()?.range().end());
        let mut args = pass.slice(range).to_owned();
        for literal in quoted.iter().rev() {
            let at = literal.text_range() - range.start();
            let text = unquoted(pass.slice(literal.text_range()));
            args.replace_range(std::ops::Range::<usize>::from(at), text);
        }
        let mut handle = format!("var_{}", name.text());
        while names.has_identifier(&handle) {
            handle.push('_');
        }
        is_buffer.then(|| HeaderBuffer {
            range: TextRange::new(name.text_range().start(), annotation.range().end()),
            name: name.text().to_owned(),
            handle,
            root: root.to_owned(),
            args,
        })
    }
}

/// The dimensions in quotes. Their variables are declared in the body.
fn quoted_dimensions(annotation: &Expr) -> Vec<SyntaxNode> {
    let Expr::CallExpr(call) = annotation else {
        return Vec::new();
    };
    let shape = args_of(call).first().and_then(ast::Arg::value);
    let inside = shape.iter().flat_map(|it| it.syntax().children());
    inside
        .filter(|it| it.kind() == SyntaxKind::STRING_LIT)
        .collect()
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

fn words(pass: &Pass<'_>, literal: &SyntaxNode) -> Vec<String> {
    let text = pass.slice(literal.text_range());
    let words = super::signature::words(text).filter(|it| !it.is_empty());
    words.map(str::to_owned).collect()
}

/// Finds the statement that declares a variable: `B = T.int32()` or `B, C = T.int32(), T.int32()`. Returns `None` if
/// something else binds the name too.
fn declaration(
    pass: &Pass<'_>,
    names: &FunctionNames,
    body: &ast::Suite,
    name: &str,
) -> Option<ast::AssignStmt> {
    let ([stmt], [_]) = (names.assigned(name), names.bound(name)) else {
        return None;
    };
    let stmt = ast::AssignStmt::cast(stmt.clone())?;
    let is_in_body = stmt.syntax().parent().as_ref() == Some(body.syntax());
    let values = match stmt.value().filter(|_| is_in_body)? {
        Expr::TupleExpr(it) => it.elements().collect(),
        it => vec![it],
    };
    let makes_variable = |it: &Expr| match it {
        Expr::CallExpr(call) if args_of(call).is_empty() => {
            let callee = call.callee().and_then(|it| pass.script_name(&it));
            callee.is_some_and(|it| it.starts_with("T."))
        }
        _ => false,
    };
    values.iter().all(makes_variable).then_some(stmt)
}

/// The names used below a node, in order and without duplicates.
fn names_of(node: &SyntaxNode) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut known = FxHashSet::default();
    for name in node.descendants().filter_map(ast::NameExpr::cast) {
        let name = name.text();
        if known.insert(name.clone()) {
            found.push(name);
        }
    }
    found
}
