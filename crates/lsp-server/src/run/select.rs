//! Finds the function that a name refers to.

use hir::{Database, FunctionItem, RelayFile, SourceFile, file_items};
use relax::FunctionKind;
use smol_str::SmolStr;

use crate::line_index::LineColumns;

/// Returns the function with a name (`Module.forward`, `forward`, or empty for the only one) and the line of its `def`,
/// starting at 0. A PrimFunc has to be named if there are Relax functions. An error lists the available functions.
pub fn function<'db>(
    db: &'db Database,
    file: SourceFile,
    name: &str,
    line: Option<u32>,
) -> Result<FunctionItem<'db>, String> {
    let all: Vec<Candidate<'db>> = candidates(db, file);
    let mut named: Vec<&Candidate> = all.iter().filter(|it| it.is_called(name)).collect();
    let lines = LineColumns::new(&file.source(db).text);
    let on_line = |it: &&&Candidate| line.is_some_and(|line| it.line(db, &lines) == line);
    let mut meant: Vec<&Candidate> = named.iter().filter(on_line).copied().collect();
    if meant.is_empty() {
        // A Relax function is meant before a PrimFunc.
        if named.iter().any(|it| it.is_relax(db)) {
            named.retain(|it| it.is_relax(db));
        }
        // The text may have changed since the line was noted, so the name alone may be enough.
        if line.is_none() || named.len() == 1 {
            meant.clone_from(&named);
        }
    }
    match &meant[..] {
        [only] => Ok(only.item),
        [] if all.is_empty() => Err("the file has no Relax function and no PrimFunc".to_owned()),
        [] if name.is_empty() => Err(format!("name one of the functions: {}", list(&named))),
        [] => Err(format!(
            "there is no function `{name}`{}; there are: {}",
            line.map_or_else(String::new, |line| format!(" in line {}", line + 1)),
            list(&all.iter().collect::<Vec<_>>())
        )),
        several => {
            let lines: Vec<String> = several
                .iter()
                .map(|it| format!("{}@{}", it.full_name, it.line(db, &lines) + 1))
                .collect();
            Err(format!("name one of these: {}", lines.join(", ")))
        }
    }
}

/// Returns the name of a function in outputs and messages: `Module.forward`.
pub fn full_name(db: &Database, function: FunctionItem<'_>) -> String {
    let items = file_items(db, function.file(db));
    let module = function
        .module(db)
        .and_then(|index| items.modules.get(index as usize));
    match module {
        Some(module) => format!("{}.{}", module.name(db), function.name(db)),
        None => function.name(db).to_string(),
    }
}

/// Returns the function of a Relay text with a name (`main`, `@main`, or empty for `@main` or the only one) and the
/// line of its name, starting at 0.
pub fn relay_function(
    file: &RelayFile,
    text: &str,
    name: &str,
    line: Option<u32>,
) -> Result<SmolStr, String> {
    let all = vm::lower::relay::entries(file);
    let lines = LineColumns::new(text);
    let wanted = name.strip_prefix('@').unwrap_or(name);
    let named = all.iter().find(|it| it.0 == wanted);
    let on_line = |line: u32| {
        all.iter()
            .find(|it| lines.line_col(it.1.start()).0 == line + 1)
    };
    let meant = match (named, wanted.is_empty(), &all[..]) {
        (Some(named), ..) => Some(named),
        (None, true, [only]) => Some(only),
        (None, true, _) => {
            { line.and_then(on_line) }.or_else(|| all.iter().find(|it| it.0 == "main"))
        }
        (None, false, _) => None,
    };
    let known = || {
        let names: Vec<String> = all
            .iter()
            .take(20)
            .map(|it| format!("`@{}`", it.0))
            .collect();
        names.join(", ")
    };
    match meant {
        Some(meant) => Ok(meant.0.clone()),
        None if all.is_empty() => Err("the text has no function".to_owned()),
        None if wanted.is_empty() => Err(format!("name one of the functions: {}", known())),
        None => Err(format!(
            "there is no function `@{wanted}`; there are: {}",
            known()
        )),
    }
}

struct Candidate<'db> {
    item: FunctionItem<'db>,
    name: String,
    full_name: String,
}

impl Candidate<'_> {
    fn is_relax(&self, db: &Database) -> bool {
        self.item.kind(db) == FunctionKind::Relax
    }

    fn is_called(&self, name: &str) -> bool {
        name.is_empty() || name == self.full_name || name == self.name
    }

    /// Returns the line of the `def`, starting at 0.
    fn line(&self, db: &Database, lines: &LineColumns) -> u32 {
        let def = self.item.source(db).def();
        let at = def
            .and_then(|def| def.name())
            .map(|name| name.text_range().start())
            .unwrap_or_default();
        lines.line_col(at + self.item.offset(db)).0 - 1
    }
}

/// Returns the functions that can run, Relax functions first.
fn candidates(db: &Database, file: SourceFile) -> Vec<Candidate<'_>> {
    let mut all: Vec<Candidate<'_>> = file_items(db, file)
        .functions
        .iter()
        .filter(|it| matches!(it.kind(db), FunctionKind::Relax | FunctionKind::PrimFunc))
        .map(|&item| Candidate {
            item,
            name: item.name(db).to_string(),
            full_name: full_name(db, item),
        })
        .collect();
    all.sort_by_key(|it| !it.is_relax(db));
    all
}

/// Lists some names for an error message.
fn list(all: &[&Candidate<'_>]) -> String {
    const SHOWN: usize = 20;
    let mut names: Vec<String> = all
        .iter()
        .take(SHOWN)
        .map(|it| format!("`{}`", it.full_name))
        .collect();
    if all.len() > SHOWN {
        names.push(format!("and {} more", all.len() - SHOWN));
    }
    names.join(", ")
}
