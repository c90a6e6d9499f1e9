//! Rule: at most three modules of a crate import each other in a circle.
//!
//! A module is a file or folder directly below `src`. `syn` reads the paths; paths inside macros are not seen.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::sources::test_modules;
use super::{assert_none, rust_files};

/// The maximum number of modules in a circle.
const MOST: usize = 3;

/// The modules that each module names.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// The files of a crate: the path below `src` without `.rs`, and the text.
type Sources = Vec<(String, String)>;

fn crates() -> BTreeMap<String, Sources> {
    let files = rust_files();
    let for_tests = test_modules(&files);
    let folders: Vec<&str> = for_tests
        .iter()
        .filter_map(|it| it.strip_suffix(".rs"))
        .collect();
    let is_for_tests = |name: &str| {
        let mut folders = folders.iter();
        for_tests.iter().any(|it| it == name)
            || folders.any(|it| name.strip_prefix(it).is_some_and(|it| it.starts_with('/')))
    };
    let mut crates: BTreeMap<String, Sources> = BTreeMap::new();
    for (name, text) in &files {
        let Some((package, file)) = name
            .strip_prefix("crates/")
            .and_then(|it| it.split_once("/src/"))
        else {
            continue;
        };
        if let Some(file) = file.strip_suffix(".rs").filter(|_| !is_for_tests(name)) {
            let sources = crates.entry(package.to_owned()).or_default();
            sources.push((file.to_owned(), text.clone()));
        }
    }
    crates
}

/// The paths that a file names, each from the root of the crate.
struct Paths {
    /// The path of the file: `["infer", "call"]`.
    module: Vec<String>,
    found: Vec<Vec<String>>,
}

impl Paths {
    fn of(module: &str, text: &str) -> Vec<Vec<String>> {
        let file = syn::parse_file(text).expect("a file of the workspace is Rust");
        let module = module.split('/').map(str::to_owned).collect();
        let found = Vec::new();
        let mut paths = Paths { module, found };
        paths.visit_file(&file);
        paths.found
    }

    fn add(&mut self, names: &[String]) {
        let supers = names.iter().take_while(|it| *it == "super").count();
        if names.first().is_some_and(|it| it == "crate") {
            self.found.push(names[1..].to_vec());
        } else if supers > 0 && supers <= self.module.len() {
            let around = &self.module[..self.module.len() - supers];
            self.found.push([around, &names[supers..]].concat());
        }
    }

    fn add_tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_tree(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(tree, before);
                }
            }
            syn::UseTree::Name(syn::UseName { ident })
            | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                before.push(ident.to_string());
                self.add(before);
                before.pop();
            }
            syn::UseTree::Glob(_) => self.add(before),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let for_tests = item.attrs.iter().any(|attr| {
            let is_test = || {
                attr.parse_args::<syn::Path>()
                    .is_ok_and(|it| it.is_ident("test"))
            };
            attr.path().is_ident("cfg") && is_test()
        });
        if !for_tests {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        self.add(&names);
        visit::visit_path(self, path);
    }
}

fn top(module: &str) -> &str {
    module.split('/').next().unwrap_or(module)
}

fn is_root(module: &str) -> bool {
    matches!(module, "lib" | "main")
}

fn imports(sources: &Sources) -> Imports {
    let mut imports: Imports = BTreeMap::new();
    // An item that the root re-exports counts as an item of the root.
    let mut exported: BTreeMap<String, String> = BTreeMap::new();
    for (module, text) in sources {
        if is_root(module) {
            let file = syn::parse_file(text).expect("a file of the workspace is Rust");
            for item in &file.items {
                if let syn::Item::Use(item) = item {
                    let mut root = Paths {
                        module: vec![String::new()],
                        found: Vec::new(),
                    };
                    root.add_tree(&item.tree, &mut vec!["super".to_owned()]);
                    let pairs = root.found.into_iter().filter(|it| it.len() > 1);
                    exported.extend(pairs.map(|it| (it[it.len() - 1].clone(), it[0].clone())));
                }
            }
        } else {
            imports.entry(top(module).to_owned()).or_default();
        }
    }
    for (module, text) in sources.iter().filter(|(module, _)| !is_root(module)) {
        for path in Paths::of(module, text) {
            let Some(first) = path.first() else { continue };
            let named = exported.get(first).unwrap_or(first);
            if named != top(module) && imports.contains_key(named) {
                let of_module = imports.entry(top(module).to_owned()).or_default();
                of_module.insert(named.clone());
            }
        }
    }
    imports
}

fn reached<'i>(imports: &'i Imports, from: &'i str) -> BTreeSet<&'i str> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![from];
    while let Some(module) = pending.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if seen.insert(next.as_str()) {
                pending.push(next);
            }
        }
    }
    seen
}

/// Returns the sets of modules that import each other.
fn circles(imports: &Imports) -> BTreeSet<Vec<&str>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|module| (module.as_str(), reached(imports, module)))
        .collect();
    let circle = |module: &&'_ str| -> Vec<_> {
        let mutual = reach[module]
            .iter()
            .filter(|it| reach[**it].contains(module));
        mutual.copied().collect()
    };
    let circles = reach.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[test]
fn circles_have_at_most_three_modules() {
    let mut large = Vec::new();
    for (package, sources) in crates() {
        let imports = imports(&sources);
        for circle in circles(&imports).iter().filter(|it| it.len() > MOST) {
            large.push(format!("{package}: {}", circle.join(", ")));
        }
    }
    assert_none("no circle of imports is larger than three modules", &large);
}

#[test]
fn circles_include_reexports_but_not_tests() {
    let source = |module: &str, text: &str| (module.to_owned(), text.to_owned());
    let sources = vec![
        source("lib", "mod a; mod b; mod c; mod d; pub use d::Last;"),
        source("a", "use crate::b::Thing;"),
        source("b/inner", "fn f() { super::super::c::g() }"),
        source("c", "use crate::Last;"),
        source(
            "d",
            "use super::a;\n#[cfg(test)]\nmod tests { use crate::e; }",
        ),
        source("e", "use crate::a;"),
    ];
    let imports = imports(&sources);
    let found: Vec<_> = circles(&imports).into_iter().collect();
    assert_eq!(found, [["a", "b", "c", "d"]]);
}
