//! Names of TVM's Python API that the target release lacks: attributes, imports, and methods that visitors do not call
//! any more. Only what an import of TVM makes certain is reported.

use hir::enclosing::imported;
use hir::{Database, Language, SourceFile, file_items, target};
use relax::release::python::{AbsentName, absent, last_called};
use relax::release::{REMOVED, RENAMES, Release, renamed};
use relax::{Code, Diagnostic, Severity};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, Expr};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken, WalkEvent};
use text_size::{TextRange, TextSize};

use crate::imports::{DottedName, Imports, is_bound, script_name};

pub fn diagnostics(db: &Database, file: SourceFile) -> Vec<Diagnostic> {
    let source = file.source(db);
    let Some(release) = target(db, file).filter(|_| source.language != Language::Relay) else {
        return Vec::new();
    };
    let tree = source.parse.tree();
    if !tree.stmts().any(|it| imports_more_than_script(&it)) {
        return Vec::new();
    }
    let items = file_items(db, file);
    let modules = items.modules.iter().map(|it| it.range(db));
    let functions = items.functions.iter();
    let functions = functions.map(|it| TextRange::at(it.offset(db), it.source(db).0.text_len()));
    let script: FxHashSet<TextRange> = modules.chain(functions).collect();
    let outside: Vec<SyntaxNode> = outside(tree.syntax(), &script);
    let stmts = outside.iter().cloned().filter_map(ast::Stmt::cast);
    let mut reader = Reader {
        release,
        bound: bound(&outside),
        imports: Imports::of_stmts(stmts, release),
        found: Vec::new(),
    };
    reader.read(&outside);
    reader.found
}

/// Returns `true` for an import of TVM beside its script, which long files that are printed have alone.
fn imports_more_than_script(stmt: &ast::Stmt) -> bool {
    let is_of_tvm = |path: &str| {
        let inside = path == "tvm" || path.starts_with("tvm.");
        inside && !path.starts_with("tvm.script")
    };
    let mut paths = imported(stmt).into_iter().filter_map(|it| it.1);
    paths.any(|it| is_of_tvm(&it))
}

/// Returns the nodes that are not in modules and functions of TVMScript, which have rules of their own.
fn outside(tree: &SyntaxNode, script: &FxHashSet<TextRange>) -> Vec<SyntaxNode> {
    let mut nodes = Vec::new();
    let mut walk = tree.preorder();
    while let Some(event) = walk.next() {
        let WalkEvent::Enter(node) = event else {
            continue;
        };
        if script.contains(&node.text_range()) {
            walk.skip_subtree();
        } else {
            nodes.push(node);
        }
    }
    nodes
}

struct Reader {
    release: Release,
    /// The names that something other than an import binds.
    bound: FxHashSet<SmolStr>,
    imports: Imports,
    found: Vec<Diagnostic>,
}

impl Reader {
    /// Reads nodes in the order of the text.
    fn read(&mut self, nodes: &[SyntaxNode]) {
        let mut end = TextSize::default();
        for node in nodes {
            let range = node.text_range();
            if range.end() > end && (is_tentative(node) || self.node(node)) {
                end = range.end();
            }
        }
    }

    /// Reads a node. Returns `true` if nothing in it is left to read.
    fn node(&mut self, node: &SyntaxNode) -> bool {
        match node.kind() {
            SyntaxKind::IMPORT_STMT | SyntaxKind::IMPORT_FROM_STMT => self.import(node),
            SyntaxKind::CLASS_DEF => {
                if let Some(class) = ast::ClassDef::cast(node.clone()) {
                    self.class(&class);
                }
                return false;
            }
            _ => {
                let expr = Expr::cast(node.clone());
                let expr = expr.filter(|it| matches!(it, Expr::AttributeExpr(_)));
                let Some(name) = expr.and_then(|it| self.imports.written(&it)) else {
                    return false;
                };
                self.attribute(&name);
            }
        }
        true
    }

    fn import(&mut self, node: &SyntaxNode) {
        if let Some(import) = ast::ImportFromStmt::cast(node.clone()) {
            let Some(module) = import.module().filter(|_| import.level() == 0) else {
                return;
            };
            let module: Vec<SyntaxToken> = module.names().collect();
            if self.path(&module) {
                return;
            }
            for alias in import.names() {
                let name = alias.path();
                let names = name.iter().flat_map(ast::ModulePath::names);
                self.path(&module.iter().cloned().chain(names).collect::<Vec<_>>());
            }
        } else if let Some(import) = ast::ImportStmt::cast(node.clone()) {
            for path in import.names().filter_map(|it| it.path()) {
                self.path(&path.names().collect::<Vec<_>>());
            }
        }
    }

    /// Reports the first name of a path that the release lacks. Returns `true` if there is one.
    fn path(&mut self, names: &[SyntaxToken]) -> bool {
        let Some(first) = names.first() else {
            return false;
        };
        let written = DottedName {
            root: first.text().to_owned(),
            names: names.to_vec(),
        };
        self.name(&written)
    }

    fn attribute(&mut self, written: &DottedName) {
        let root = written.names.first();
        if root.is_some_and(|it| !self.bound.contains(it.text())) {
            self.name(written);
        }
    }

    fn name(&mut self, written: &DottedName) -> bool {
        let path = written.path();
        // Names of TVMScript are judged by its tables.
        if script_name(&path).is_some() {
            return false;
        }
        let Some(lacking) = absent(&path, self.release) else {
            return false;
        };
        let before = lacking.module.split('.').count();
        let roots = written.root.split('.').count();
        // What the import lacks is reported there.
        let Some(at) = (before + 1).checked_sub(roots).filter(|it| *it > 0) else {
            return true;
        };
        let Some(token) = written.names.get(at) else {
            return true;
        };
        let message = message(&path, &lacking, self.release);
        let range = token.text_range();
        self.found
            .push(Diagnostic::new(Code::OtherDialect, range, message));
        true
    }

    fn class(&mut self, class: &ast::ClassDef) {
        let bases = class
            .args()
            .into_iter()
            .flat_map(|it| it.args().collect::<Vec<_>>());
        let bases = bases.filter_map(|it| self.imports.written(&it.value()?));
        let bases: Vec<String> = bases.map(|it| it.path()).collect();
        let methods = class
            .body()
            .into_iter()
            .flat_map(|it| it.stmts().collect::<Vec<_>>());
        for stmt in methods {
            let ast::Stmt::FunctionDef(method) = stmt else {
                continue;
            };
            let Some(name) = method.name() else { continue };
            for base in bases.iter().filter(|it| it.starts_with("tvm.")) {
                let own = base.rsplit('.').next().unwrap_or(base);
                let Some(last) = last_called(own, name.text(), self.release) else {
                    continue;
                };
                let message = format!(
                    "`{own}` of {} does not call `{name}`: it did until {}",
                    self.release.title(),
                    last.title()
                );
                let range = name.text_range();
                let mut report = Diagnostic::new(Code::OtherDialect, range, message);
                report.severity = Severity::Warning;
                self.found.push(report);
            }
        }
    }
}

/// Returns `true` for code that runs only if the names exist: in `try`, and below a condition about the version.
fn is_tentative(node: &SyntaxNode) -> bool {
    match node.kind() {
        SyntaxKind::TRY_STMT => true,
        SyntaxKind::IF_STMT => {
            let test = ast::IfStmt::cast(node.clone()).and_then(|it| it.test());
            let test = test.map(|it| it.syntax().text().to_string());
            test.is_some_and(|it| {
                ["hasattr", "version", "VERSION"]
                    .iter()
                    .any(|word| it.contains(word))
            })
        }
        _ => false,
    }
}

/// Returns the names that something other than an import binds.
fn bound(nodes: &[SyntaxNode]) -> FxHashSet<SmolStr> {
    let tokens = nodes.iter().flat_map(SyntaxNode::children_with_tokens);
    let tokens = tokens.filter_map(NodeOrToken::into_token);
    let names = tokens.filter(|it| it.kind() == SyntaxKind::IDENT && is_bound(it));
    names.map(|it| it.text().into()).collect()
}

fn message(whole: &str, lacking: &AbsentName<'_>, release: Release) -> String {
    let path = format!("{}.{}", lacking.module, lacking.name);
    let title = release.title();
    if let Some((old, instead, source)) = replacement(whole, release) {
        return format!("{title} has no `{old}`: use `{instead}` ({source})");
    }
    match (lacking.last, lacking.near) {
        (Some(last), _) if last < release => {
            format!(
                "{title} has no `{path}`, which exists until {}",
                last.title()
            )
        }
        (Some(other), _) => format!("{title} has no `{path}`, which {} has", other.title()),
        (None, Some(near)) => format!("{title} has no `{path}`; did you mean `{near}`?"),
        (None, None) => format!("{title} has no `{path}`"),
    }
}

/// Returns the path that has another name in a release, that name, and the source.
fn replacement(path: &str, release: Release) -> Option<(&str, String, &'static str)> {
    let is_of = |old: &str| {
        path.strip_prefix(old)
            .is_some_and(|it| it.is_empty() || it.starts_with('.'))
    };
    let rows = REMOVED.iter().chain(RENAMES);
    let row = rows
        .filter(|it| it.since <= release && is_of(it.old))
        .max_by_key(|it| it.old.len())?;
    let before = row.since.previous()?;
    let new = renamed(path, before, release);
    let (old, instead) = if new == path {
        (row.old, row.new.to_owned())
    } else {
        (path, new)
    };
    absent(&instead, release)
        .is_none()
        .then_some((old, instead, row.source))
}
