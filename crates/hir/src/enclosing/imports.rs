//! The names that an import binds.

use smol_str::SmolStr;
use syntax::ast;

/// Returns the names that an import statement binds, with their dotted paths; `None` for a relative import.
pub fn imported(stmt: &ast::Stmt) -> Vec<(SmolStr, Option<SmolStr>)> {
    match stmt {
        ast::Stmt::ImportStmt(it) => it.names().filter_map(|name| module(&name)).collect(),
        ast::Stmt::ImportFromStmt(it) => {
            let module = it.module().map(|it| it.dotted()).unwrap_or_default();
            let is_relative = it.level() > 0;
            let bound = |import: ast::ImportAlias| {
                let name = import.path()?.dotted();
                let path = (!is_relative).then(|| SmolStr::from(format!("{module}.{name}")));
                let alias = import.alias();
                Some((
                    alias.map_or_else(|| name.into(), |it| it.text().into()),
                    path,
                ))
            };
            it.names().filter_map(bound).collect()
        }
        _ => Vec::new(),
    }
}

/// `import tvm.relax` binds `tvm`, and `import tvm.relax as rx` binds `rx`.
fn module(import: &ast::ImportAlias) -> Option<(SmolStr, Option<SmolStr>)> {
    let path = import.path()?;
    let (name, path) = match import.alias() {
        Some(alias) => (alias.text().into(), path.dotted().into()),
        None => {
            let first = SmolStr::from(path.names().next()?.text());
            (first.clone(), first)
        }
    };
    Some((name, Some(path)))
}
