//! Migrates `T.realize`, which was removed together with the schedules of tensor expressions (#18763). For a buffer
//! that already has memory it says which region is used; for any other buffer it is the allocation.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};
use text_size::TextRange;

use super::{Pass, args_of, blocks, calls, decorators, scopes};

/// The first release without `T.realize`.
const GONE: Release = Release::V0_24;

const NAME: &str = "T.realize";

/// The call that declares a buffer without memory.
const DECLARED: &str = "T.Buffer";

/// The calls that make a buffer with memory.
const MADE: &[&str] = &["T.match_buffer", "T.sblock_alloc_buffer", "T.decl_buffer"];

/// Arguments that both a declaration and an allocation take.
const OF_BOTH: &[&str] = &[
    "shape",
    "dtype",
    "strides",
    "elem_offset",
    "align",
    "offset_factor",
];

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    if !pass.transition.enters(GONE) {
        return;
    }
    if let Some(call) = ast::CallExpr::cast(node.clone()) {
        if is_call_of(pass, &call, NAME) && decorators::is_in_prim_func(pass, node) {
            realized(pass, &call);
        }
    } else if let Some(stmt) = ast::AssignStmt::cast(node.clone()) {
        declaration(pass, &stmt);
    }
}

fn is_call_of(pass: &Pass<'_>, call: &ast::CallExpr, name: &str) -> bool {
    let called = call.callee().and_then(|it| pass.script_name(&it));
    called.as_deref() == Some(name)
}

/// The statement that realizes a region.
enum Site {
    Statement(ast::ExprStmt),
    Block(ast::WithStmt),
}

impl Site {
    fn of(pass: &Pass<'_>, call: &ast::CallExpr) -> Option<Site> {
        let parent = call.syntax().parent()?;
        if let Some(stmt) = ast::ExprStmt::cast(parent.clone()) {
            return Some(Site::Statement(stmt));
        }
        let with = parent.parent().and_then(ast::WithStmt::cast)?;
        let (_, target) = blocks::context(pass, &with, NAME)?;
        target.is_none().then_some(Site::Block(with))
    }

    /// Returns the range in which the region is realized.
    fn scope(&self) -> Option<TextRange> {
        match self {
            Site::Statement(stmt) => {
                let suite = stmt.syntax().ancestors().find_map(ast::Suite::cast)?;
                Some(TextRange::new(stmt.range().start(), suite.range().end()))
            }
            Site::Block(with) => Some(with.range()),
        }
    }

    fn become_statement(&self, pass: &mut Pass<'_>, statement: &str) {
        match self {
            Site::Statement(stmt) => pass.replace(stmt.range(), statement),
            Site::Block(with) => blocks::unwrap(pass, with, statement),
        }
    }

    fn vanish(&self, pass: &mut Pass<'_>) {
        match self {
            Site::Statement(stmt) => pass.remove_stmt(stmt),
            Site::Block(with) => blocks::unwrap_bare(pass, with),
        }
    }
}

fn realized(pass: &mut Pass<'_>, call: &ast::CallExpr) {
    let (Some(site), Some((buffer, storage))) = (Site::of(pass, call), region(pass, call)) else {
        return;
    };
    match origin(pass, &buffer) {
        Some(Origin::There) => site.vanish(pass),
        Some(Origin::Declared(declared)) => {
            if let Some(allocation) = allocation(pass, &declared, storage)
                && is_used_only_where_realized(pass, &buffer)
            {
                let statement = format!("{} = {allocation}", buffer.text());
                site.become_statement(pass, &statement);
            }
        }
        None => {}
    }
}

/// Returns the buffer and the storage scope of `T.realize(A[0:16], "shared")`, or `None` if it has a condition.
fn region<'a>(pass: &Pass<'a>, call: &ast::CallExpr) -> Option<(ast::NameExpr, &'a str)> {
    let args = args_of(call);
    let argument = |at: usize, name: &str| {
        let positional = args.get(at).filter(|it| it.keyword().is_none());
        calls::keyword(&args, name)
            .or(positional)
            .and_then(ast::Arg::value)
    };
    let Some(Expr::SubscriptExpr(slice)) = argument(0, "buffer_slice") else {
        return None;
    };
    let Some(Expr::NameExpr(buffer)) = slice.base() else {
        return None;
    };
    let storage = argument(1, "storage_scope")?;
    let text = pass.slice(storage.range());
    let storage = text.trim_matches(['"', '\'']);
    let is_whole = argument(2, "condition").is_none_or(|it| pass.slice(it.range()) == "True");
    (is_whole && text.len() == storage.len() + 2).then_some((buffer, storage))
}

/// Where the memory of a buffer comes from.
enum Origin {
    /// The buffer already has memory: it is an argument, or a statement allocates it.
    There,
    /// The buffer is only declared, by this call.
    Declared(ast::CallExpr),
}

/// Returns the origin of a buffer if exactly one statement binds it, not counting allocations that replaced regions.
fn origin(pass: &Pass<'_>, buffer: &ast::NameExpr) -> Option<Origin> {
    let names = pass.names_around(buffer.syntax())?;
    let bindings = names.bound(&buffer.text()).iter();
    let mut origins = bindings
        .filter_map(|it| {
            let parent = it.name.parent()?;
            let assign = parent.ancestors().find_map(ast::AssignStmt::cast);
            let value = assign
                .filter(|it| it.targets().any(|it| it.syntax() == &parent))
                .and_then(|it| it.value());
            match value {
                Some(Expr::CallExpr(call)) if is_call_of(pass, &call, DECLARED) => {
                    Some(Some(Origin::Declared(call)))
                }
                Some(Expr::CallExpr(call))
                    if MADE.iter().any(|name| is_call_of(pass, &call, name)) =>
                {
                    Some(Some(Origin::There))
                }
                Some(Expr::CallExpr(call)) if is_call_of(pass, &call, "T.alloc_buffer") => None,
                None if ast::Param::can_cast(parent.kind()) => Some(Some(Origin::There)),
                _ => Some(None),
            }
        })
        .collect::<Option<Vec<Origin>>>()?;
    let only = origins.pop()?;
    origins.is_empty().then_some(only)
}

/// Returns the call that allocates the buffer that `declared` declares.
fn allocation(pass: &Pass<'_>, declared: &ast::CallExpr, storage: &str) -> Option<String> {
    let args = args_of(declared);
    let positional = args.iter().take_while(|it| it.keyword().is_none()).count();
    let is_known = |arg: &ast::Arg| {
        let keyword = arg.keyword();
        keyword.is_none_or(|it| OF_BOTH.contains(&it.text()))
    };
    if positional == 0 || positional > 2 || !args.iter().all(is_known) {
        return None;
    }
    let callee = pass.slice(declared.callee()?.range());
    let root = callee.rsplit_once('.').map_or("", |it| it.0);
    let first = args.first()?.range().start();
    let last = args.last()?.range().end();
    let args = pass.slice(TextRange::new(first, last));
    let storage = match storage {
        "" | "global" => String::new(),
        other => format!(", scope=\"{other}\""),
    };
    Some(format!("{root}.alloc_buffer({args}{storage})"))
}

/// Returns `true` if each use of a declared buffer is inside a realized region or an allocation that replaced one.
fn is_used_only_where_realized(pass: &Pass<'_>, buffer: &ast::NameExpr) -> bool {
    let Some(names) = pass.names_around(buffer.syntax()) else {
        return false;
    };
    let name = buffer.text();
    let regions = names
        .used(&name)
        .iter()
        .filter_map(|it| Site::of(pass, &realized_region(pass, it)?)?.scope());
    let assigned = names.assigned(&name).iter().filter_map(|it| {
        let it = ast::AssignStmt::cast(it.clone())?;
        let Some(Expr::CallExpr(call)) = it.value() else {
            return None;
        };
        let suite = it.syntax().ancestors().find_map(ast::Suite::cast)?;
        if is_call_of(pass, &call, "T.alloc_buffer") {
            return Some(TextRange::new(it.range().start(), suite.range().end()));
        }
        is_call_of(pass, &call, DECLARED).then(|| it.range())
    });
    let scopes: Vec<TextRange> = regions.chain(assigned).collect();
    let mut uses = names.used(&name).iter();
    uses.all(|it| scopes.iter().any(|scope| scope.contains_range(it.range())))
}

/// Returns the call `T.realize(A[0:16], "shared")` in which `A` is this name.
fn realized_region(pass: &Pass<'_>, name: &ast::NameExpr) -> Option<ast::CallExpr> {
    let slice = name.syntax().parent().and_then(ast::SubscriptExpr::cast)?;
    let call = slice.syntax().ancestors().find_map(ast::CallExpr::cast)?;
    let (buffer, _) = region(pass, &call).filter(|_| is_call_of(pass, &call, NAME))?;
    (buffer.range() == name.range()).then_some(call)
}

/// Removes the declaration of a buffer if the buffer is allocated before its uses.
fn declaration(pass: &mut Pass<'_>, stmt: &ast::AssignStmt) {
    let Some(bound) = pass.bound_call(stmt) else {
        return;
    };
    if bound.callee != DECLARED || !decorators::is_in_prim_func(pass, stmt.syntax()) {
        return;
    }
    let Some(names) = pass.names_around(stmt.syntax()) else {
        return;
    };
    let is_allocation = |it: &scopes::Binding| {
        let assign = it
            .name
            .parent_ancestors()
            .find_map(ast::AssignStmt::cast)
            .and_then(|it| it.value());
        matches!(assign, Some(Expr::CallExpr(call)) if is_call_of(pass, &call, "T.alloc_buffer"))
    };
    let name = bound.target.text();
    let is_realized = |it: &ast::NameExpr| realized_region(pass, it).is_some();
    let others = names.bound(&name).iter();
    let others = others.filter(|it| it.name.text_range() != bound.target.range());
    let others: Vec<&scopes::Binding> = others.collect();
    let is_allocated = !others.is_empty() && others.into_iter().all(is_allocation);
    if is_allocated && !names.used(&name).iter().any(is_realized) {
        pass.remove_stmt(stmt);
    }
}
