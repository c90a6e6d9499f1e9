//! Dotted names in TVMScript: `tvm.script.relax`, `R.nn.conv2d`.

use smol_str::SmolStr;

/// A namespace of TVMScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// `R`
    Relax,
    /// `T`
    Tir,
    /// `I`
    Ir,
    /// `tvm.relax`, whose functions build the same expressions as `R`.
    Python,
}

impl Namespace {
    /// Returns the namespace with a path: `tvm.script.relax`, `tvm.script.parser.tir`, `tvm.tirx.script`.
    pub fn of_path(path: &str) -> Option<Namespace> {
        let in_script = path.starts_with("tvm.") && path.split('.').any(|part| part == "script");
        if !in_script {
            return None;
        }
        match path
            .rsplit('.')
            .find(|part| !matches!(*part, "script" | "parser" | "builder" | "ir_builder"))?
        {
            "relax" => Some(Namespace::Relax),
            "tir" | "tirx" => Some(Namespace::Tir),
            "ir" => Some(Namespace::Ir),
            _ => None,
        }
    }

    /// Returns the namespace of the letter that printed TVMScript uses, even without an import.
    pub fn of_letter(name: &str) -> Option<Namespace> {
        match name {
            "R" => Some(Namespace::Relax),
            "T" => Some(Namespace::Tir),
            "I" => Some(Namespace::Ir),
            _ => None,
        }
    }
}

/// A resolved dotted name: a namespace and the name in it (`nn.conv2d`; empty for the namespace itself).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptPath {
    pub namespace: Namespace,
    pub rest: SmolStr,
}

impl ScriptPath {
    /// Resolves a dotted path to a name in TVMScript.
    pub fn of_path(path: &str) -> Option<ScriptPath> {
        // `tvm.script.ir_module` is also exported at the top level.
        if let Some(rest) = path.strip_prefix("tvm.script.")
            && matches!(rest, "ir_module" | "prim_func")
        {
            let namespace = if rest == "ir_module" {
                Namespace::Ir
            } else {
                Namespace::Tir
            };
            return Some(ScriptPath {
                namespace,
                rest: rest.into(),
            });
        }
        if let Some(rest) = path.strip_prefix("tvm.relax")
            && (rest.is_empty() || rest.starts_with('.'))
            && !rest.starts_with(".script")
        {
            let rest = rest.trim_start_matches('.');
            let rest = rest
                .strip_prefix("op.")
                .unwrap_or(if rest == "op" { "" } else { rest });
            return Some(ScriptPath {
                namespace: Namespace::Python,
                rest: rest.into(),
            });
        }
        let mut at = path.len();
        loop {
            if let Some(namespace) = Namespace::of_path(&path[..at]) {
                // Use the longest prefix whose last part is a namespace.
                let last = path[..at].rsplit('.').next().unwrap_or_default();
                if matches!(last, "relax" | "tir" | "tirx" | "ir") || at == path.len() {
                    let rest = path[at..].trim_start_matches('.').into();
                    return Some(ScriptPath { namespace, rest });
                }
            }
            at = path[..at].rfind('.')?;
        }
    }
}

/// Resolves a name that the enclosing code does not bind.
pub fn unbound_path(name: &str) -> Option<ScriptPath> {
    Namespace::of_letter(name).map(|namespace| ScriptPath {
        namespace,
        rest: SmolStr::default(),
    })
}
