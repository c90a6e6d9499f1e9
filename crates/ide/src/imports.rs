//! Resolves imported names of a file to their full paths, wherever the imports are.

use hir::enclosing::imported;
use relax::release::Release;
use relax::script::{Namespace, ScriptPath, unbound_path};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

/// The namespaces of PrimFuncs.
const TIR: &str = "tvm.script.tir";
const TIRX: &str = "tvm.script.tirx";

/// A dotted name in the text, resolved.
pub struct DottedName {
    /// The path that its first name stands for: `tvm.script.tir` for `T`.
    pub root: String,
    /// All names of it, including the first.
    pub names: Vec<SyntaxToken>,
}

impl DottedName {
    /// Returns the full path.
    pub fn path(&self) -> String {
        let mut path = self.root.clone();
        for name in &self.names[1..] {
            path.push('.');
            path.push_str(name.text());
        }
        path
    }
}

/// By the function that holds the imports; `None`: the file itself.
type Paths = FxHashMap<Option<TextRange>, Option<SmolStr>>;

pub struct Imports {
    /// The path of each imported name; `None` if two imports disagree.
    paths: FxHashMap<SmolStr, Option<SmolStr>>,
    /// Paths per function, for names that the functions of a file import from different modules.
    local: FxHashMap<SmolStr, Paths>,
    /// The local name of each path.
    names: FxHashMap<SmolStr, SmolStr>,
    /// The end of the first `from module import ...` of each module.
    ends: FxHashMap<SmolStr, TextSize>,
    /// The end of the `from tvm import ...` that imports each name without an alias.
    beside: FxHashMap<SmolStr, TextSize>,
    /// Returns `true` if the file imports anything from TVM.
    are_of_tvm: bool,
    /// The path that `T` stands for if nothing imports it.
    tir: &'static str,
}

impl Imports {
    /// Reads the imports of a file that is written for `release`.
    pub fn of(tree: &ast::SourceFile, release: Release) -> Imports {
        let stmts = tree.syntax().descendants().filter_map(ast::Stmt::cast);
        Imports::of_stmts(stmts, release)
    }

    /// Reads the imports among some statements of a file.
    pub fn of_stmts(stmts: impl Iterator<Item = ast::Stmt>, release: Release) -> Imports {
        let mut imports = Imports {
            paths: FxHashMap::default(),
            local: FxHashMap::default(),
            names: FxHashMap::default(),
            ends: FxHashMap::default(),
            beside: FxHashMap::default(),
            are_of_tvm: false,
            tir: if release.has_tirx() { TIRX } else { TIR },
        };
        for stmt in stmts {
            for (name, path) in imported(&stmt) {
                let function = stmt.syntax().ancestors().find_map(ast::FunctionDef::cast);
                let known = imports.local.entry(name).or_default();
                let known = known.entry(function.map(|it| it.range()));
                let known = known.or_insert_with(|| path.clone());
                if *known != path {
                    *known = None;
                }
            }
            if let ast::Stmt::ImportFromStmt(it) = &stmt
                && let (Some(module), Some(last)) = (it.module(), it.names().last())
            {
                let (module, end) = (module.dotted(), last.range().end());
                let of_tvm = it.names().filter(|_| module == "tvm");
                for name in of_tvm.filter(|it| it.alias().is_none()) {
                    let Some(path) = name.path() else { continue };
                    imports.beside.entry(path.dotted().into()).or_insert(end);
                }
                imports.ends.entry(module.into()).or_insert(end);
            }
        }
        imports.local.retain(|name, paths| {
            let mut all = paths.values();
            let first = all.next().cloned().flatten();
            let is_one = all.all(|it| *it == first);
            let of_file = paths.get(&None).cloned().flatten();
            let whole = if is_one { first } else { of_file };
            imports.paths.insert(name.clone(), whole);
            !is_one
        });
        for (name, path) in &imports.paths {
            let Some(path) = path else { continue };
            imports.are_of_tvm |= *path == "tvm" || path.starts_with("tvm.");
            let known = imports.names.entry(path.clone());
            let first = known.or_insert_with(|| name.clone());
            if name < first {
                first.clone_from(name);
            }
        }
        imports
    }

    /// Returns the path that a name stands for. `R`, `T` and `I` count as imported, since printed TVMScript has no
    /// imports.
    pub fn path(&self, name: &str) -> Option<String> {
        match self.paths.get(name) {
            Some(path) => path.as_ref().map(ToString::to_string),
            None => unbound_path(name).map(|path| self.namespace(path.namespace).to_owned()),
        }
    }

    /// Returns the path that a name is imported from, at the place where it is used.
    fn path_of(&self, name: &ast::NameExpr) -> Option<String> {
        let text = name.text();
        let Some(local) = self.local.get(text.as_str()) else {
            return self.path(&text);
        };
        let functions = name.syntax().ancestors().filter_map(ast::FunctionDef::cast);
        let mut homes = functions.map(|it| Some(it.range())).chain([None]);
        let path = homes.find_map(|it| local.get(&it));
        path.cloned().flatten().map(String::from)
    }

    /// Returns the local name under which `path` is imported.
    pub fn named(&self, path: &str) -> Option<String> {
        self.names.get(path).map(ToString::to_string)
    }

    /// Returns the offset at which a name can be added to the import of a module.
    pub fn end_of(&self, module: &str) -> Option<TextSize> {
        self.ends.get(module).copied()
    }

    /// Returns the offset at which a name can be added to the `from tvm import` that imports this name.
    pub fn end_beside(&self, name: &str) -> Option<TextSize> {
        self.beside.get(name).copied()
    }

    fn namespace(&self, namespace: Namespace) -> &'static str {
        match namespace {
            Namespace::Relax => "tvm.script.relax",
            Namespace::Tir => self.tir,
            Namespace::Ir => "tvm.script.ir",
            Namespace::Python => "tvm.relax",
        }
    }

    /// Returns `true` if the file imports anything from TVM.
    pub fn are_of_tvm(&self) -> bool {
        self.are_of_tvm
    }

    /// Returns an expression as a dotted name if its first name is imported.
    pub fn written(&self, expr: &Expr) -> Option<DottedName> {
        let mut names = Vec::new();
        let mut at = expr.clone();
        loop {
            match at {
                Expr::AttributeExpr(attribute) => {
                    names.push(attribute.name()?);
                    at = attribute.base()?;
                }
                Expr::NameExpr(name) => {
                    let token = name.token()?;
                    let root = self.path_of(&name)?;
                    names.push(token);
                    names.reverse();
                    return Some(DottedName { root, names });
                }
                _ => return None,
            }
        }
    }

    /// Returns the name that an expression has in TVMScript, such as `T.sblock`.
    pub fn script_name(&self, expr: &Expr) -> Option<String> {
        script_name(&self.written(expr)?.path())
    }
}

/// Returns the TVMScript name of a path: `T.sblock` for `tvm.script.tirx.sblock`.
pub fn script_name(path: &str) -> Option<String> {
    let ScriptPath { namespace, rest } = ScriptPath::of_path(path)?;
    let letter = match namespace {
        Namespace::Relax => "R",
        Namespace::Tir => "T",
        Namespace::Ir => "I",
        Namespace::Python => return None,
    };
    (!rest.is_empty()).then(|| format!("{letter}.{rest}"))
}

/// Returns `true` if something other than an import binds a name here.
pub fn is_bound(name: &SyntaxToken) -> bool {
    let Some(parent) = name.parent() else {
        return false;
    };
    if parent.kind() != SyntaxKind::NAME_EXPR {
        return matches!(
            parent.kind(),
            SyntaxKind::PARAM | SyntaxKind::FUNCTION_DEF | SyntaxKind::CLASS_DEF
        );
    }
    let groups = [
        SyntaxKind::TUPLE_EXPR,
        SyntaxKind::LIST_EXPR,
        SyntaxKind::PAREN_EXPR,
    ];
    let group = |it: &SyntaxNode| it.parent().filter(|it| groups.contains(&it.kind()));
    let whole = std::iter::successors(Some(parent), group).last();
    whole.is_some_and(|it| {
        let is_target = it.parent().is_some_and(|it| {
            matches!(
                it.kind(),
                SyntaxKind::FOR_STMT
                    | SyntaxKind::COMP_FOR
                    | SyntaxKind::WITH_ITEM
                    | SyntaxKind::ANN_ASSIGN_STMT
            )
        });
        is_target || ast::AssignStmt::has_target(&it)
    })
}
