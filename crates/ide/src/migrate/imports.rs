//! What the names of a file are imported as, wherever its imports stand.

use hir::enclosing::imported;
use relax::release::Release;
use relax::script::{Namespace, ScriptPath, unbound_path};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::SyntaxToken;
use syntax::ast::{self, AstNode, Expr};

/// The namespaces of PrimFuncs.
const TIR: &str = "tvm.script.tir";
const TIRX: &str = "tvm.script.tirx";

/// A dotted name in the text, and what it is.
pub struct DottedName {
    /// The path of its first name: `tvm.script.tir` for `T`.
    pub root: String,
    /// Its names, the first included.
    pub names: Vec<SyntaxToken>,
}

impl DottedName {
    /// The path of all of it.
    pub fn path(&self) -> String {
        let mut path = self.root.clone();
        for name in &self.names[1..] {
            path.push('.');
            path.push_str(name.text());
        }
        path
    }
}

pub struct Imports {
    /// The paths behind imported names; `None` where two imports disagree.
    paths: FxHashMap<SmolStr, Option<SmolStr>>,
    /// What `T` is where nothing imports it.
    tir: &'static str,
}

impl Imports {
    /// The imports of a file that is read as `release` writes it.
    pub fn of(tree: &ast::SourceFile, release: Release) -> Imports {
        let mut imports = Imports {
            paths: FxHashMap::default(),
            tir: if release.has_tirx() { TIRX } else { TIR },
        };
        for stmt in tree.syntax().descendants().filter_map(ast::Stmt::cast) {
            for (name, path) in imported(&stmt) {
                let known = imports.paths.entry(name).or_insert_with(|| path.clone());
                if *known != path {
                    *known = None;
                }
            }
        }
        imports
    }

    /// The path behind a name. The letters of printed TVMScript count without an import.
    pub fn path(&self, name: &str) -> Option<String> {
        match self.paths.get(name) {
            Some(path) => path.as_ref().map(ToString::to_string),
            None => unbound_path(name).map(|path| self.namespace(path.namespace).to_owned()),
        }
    }

    /// The name of something that is imported.
    pub fn named(&self, path: &str) -> Option<String> {
        let mut all = self.paths.iter();
        let found = all.find(|it| it.1.as_deref() == Some(path))?;
        Some(found.0.to_string())
    }

    fn namespace(&self, namespace: Namespace) -> &'static str {
        match namespace {
            Namespace::Relax => "tvm.script.relax",
            Namespace::Tir => self.tir,
            Namespace::Ir => "tvm.script.ir",
            Namespace::Python => "tvm.relax",
        }
    }

    /// Whether anything of TVM is imported.
    pub fn are_of_tvm(&self) -> bool {
        let mut paths = self.paths.values().flatten();
        paths.any(|it| it == "tvm" || it.starts_with("tvm."))
    }

    /// A dotted name whose first name is imported.
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
                    let root = self.path(token.text())?;
                    names.push(token);
                    names.reverse();
                    return Some(DottedName { root, names });
                }
                _ => return None,
            }
        }
    }

    /// The name of TVMScript that an expression is: `T.sblock`.
    pub fn script_name(&self, expr: &Expr) -> Option<String> {
        script_name(&self.written(expr)?.path())
    }
}

/// The name of TVMScript at the end of a path: `T.sblock` of `tvm.script.tirx.sblock`.
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
