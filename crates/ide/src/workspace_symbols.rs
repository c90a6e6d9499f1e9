//! Symbols for a search across files: modules and functions, read from the outline of a file only.

use hir::{Database, FunctionItem, SourceFile, file_items};
use relax::FunctionKind;
use syntax::ast::{self, Stmt};
use text_size::TextSize;

use crate::analysis::{Analysis, Cancellable};
use crate::semantics::{function_range, module_of, name_range};
use crate::types::{FileId, SymbolKind, WorkspaceSymbol};

impl Analysis {
    /// Returns the modules and functions of a file.
    pub fn workspace_symbols(&self, file: FileId) -> Cancellable<Vec<WorkspaceSymbol>> {
        self.with_file(file, workspace_symbols)
    }
}

/// Returns the symbols in the order of the file.
fn workspace_symbols(db: &Database, file: SourceFile) -> Vec<WorkspaceSymbol> {
    let items = file_items(db, file);
    let mut symbols = Vec::new();
    for module in &items.modules {
        symbols.push(WorkspaceSymbol {
            name: module.name(db).to_string(),
            kind: SymbolKind::Module,
            container: None,
            name_range: module.name_range(db),
        });
    }
    for &function in &items.functions {
        let module = module_of(db, function);
        let kind = match function.kind(db) {
            FunctionKind::PrimFunc => SymbolKind::PrimFunc,
            FunctionKind::Relax | FunctionKind::Macro | FunctionKind::Python => {
                SymbolKind::Function
            }
        };
        let name = function.name(db);
        let module = module.map(|module| module.name(db));
        symbols.extend(name_range(db, function).map(|name_range| WorkspaceSymbol {
            name: name.to_string(),
            kind,
            container: module.as_ref().map(ToString::to_string),
            name_range,
        }));
        if kind == SymbolKind::Function && has_inner(&file.source(db).text, db, function) {
            let outer = module.map_or_else(|| name.to_string(), |it| format!("{it}.{name}"));
            let suite = function.source(db).def().and_then(|def| def.body());
            inner(suite, &outer, function.offset(db), &mut symbols);
        }
    }
    symbols.sort_by_key(|symbol| symbol.name_range.start());
    symbols
}

/// Returns `true` if a `def` occurs inside the function's text. Most functions have none and need no walk.
fn has_inner(text: &str, db: &Database, function: FunctionItem<'_>) -> bool {
    let text = &text[function_range(db, function)];
    text.match_indices("def ").nth(1).is_some()
}

/// Returns the local functions of a function that begins at `start`.
fn inner(
    suite: Option<ast::Suite>,
    outer: &str,
    start: TextSize,
    symbols: &mut Vec<WorkspaceSymbol>,
) {
    for stmt in suite.into_iter().flat_map(|it| it.stmts()) {
        match stmt {
            Stmt::FunctionDef(def) => {
                let Some(name) = def.name() else { continue };
                symbols.push(WorkspaceSymbol {
                    name: name.text().to_owned(),
                    kind: SymbolKind::Function,
                    container: Some(outer.to_owned()),
                    name_range: name.text_range() + start,
                });
                let outer = format!("{outer}.{}", name.text());
                inner(def.body(), &outer, start, symbols);
            }
            Stmt::WithStmt(with) => inner(with.body(), outer, start, symbols),
            Stmt::IfStmt(stmt) => {
                for branch in stmt.branches() {
                    inner(branch.suite, outer, start, symbols);
                }
                inner(stmt.else_suite(), outer, start, symbols);
            }
            _ => {}
        }
    }
}

/// Returns `true` if a name contains the letters of the query in their order, ignoring case.
pub fn matches_query(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query
        .chars()
        .flat_map(char::to_lowercase)
        .all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::matches_query;
    use crate::fixture::Fixture;

    #[test]
    fn modules_and_functions_are_listed_with_what_holds_them() {
        let fixture = Fixture::new(
            r#"
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            @R.function
            def inner(y: R.Tensor((4,), "float32")):
                return y
            z = inner(x)
            R.output(z)
        return z

@R.function
def alone(x
"#,
        );
        let symbols = fixture.analysis.workspace_symbols(fixture.file).unwrap();
        let lines: Vec<String> = symbols
            .iter()
            .map(|it| {
                let container = it.container.as_deref().unwrap_or("-");
                format!(
                    "{} {:?} {container}.{}\n",
                    fixture.show(it.name_range),
                    it.kind,
                    it.name
                )
            })
            .collect();
        expect![[r#"
            5:7 Module -.Module
            7:9 PrimFunc Module.kernel
            11:9 Function Module.main
            14:17 Function Module.main.inner
            21:5 Function -.alone
        "#]]
        .assert_eq(&lines.concat());
    }

    #[test]
    fn a_query_is_letters_in_their_order() {
        assert!(matches_query("fused_matmul1_add", "fmadd"));
        assert!(matches_query("Main", "main"));
        assert!(matches_query("main", ""));
        assert!(!matches_query("main", "niam"));
    }
}
