//! The tree of modules that the names of weights form. Knows no graph.

use std::collections::BTreeMap;

/// A module, as an index into the tree.
pub type ModuleId = usize;

/// The model itself.
pub const ROOT: ModuleId = 0;

/// Common names of weights inside a module.
const WEIGHTS: &[&str] = &[
    "beta",
    "bias",
    "embedding",
    "gamma",
    "kernel",
    "mean",
    "scale",
    "scales",
    "var",
    "weight",
    "weights",
    "zero",
    "zeros",
];

/// Splits a name into parts: `layers_0_attn_qkv_weight`, `layers.0.attn.qkv.weight`.
fn parts(name: &str) -> Vec<&str> {
    let parts = name.split(['_', '.']);
    parts.filter(|it| !it.is_empty()).collect()
}

/// Splits a path that is known.
fn path_parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').filter(|it| !it.is_empty())
}

fn is_index(part: &str) -> bool {
    part.bytes().all(|it| it.is_ascii_digit())
}

/// Returns `true` if a name contains the path of a module.
pub fn is_weight(name: &str) -> bool {
    match parts(name).as_slice() {
        [path @ .., last] if !path.is_empty() => {
            WEIGHTS.contains(last) || path[1..].iter().any(|it| is_index(it))
        }
        _ => false,
    }
}

/// Returns `true` if the last part of a name is one that weights have.
pub fn is_named_weight(name: &str) -> bool {
    matches!(parts(name).as_slice(), [_, .., last] if WEIGHTS.contains(last))
}

/// Returns the name of a weight inside its module: `qkv_weight` for `layers_0_attn_qkv_weight` in `layers.0.attn`.
pub fn within<'n>(module: &str, name: &'n str) -> &'n str {
    let mut inside = name;
    for part in parts(module) {
        let rest = inside.trim_start_matches(['_', '.']).strip_prefix(part);
        match rest.filter(|it| it.starts_with(['_', '.'])) {
            Some(rest) => inside = rest,
            None => return name,
        }
    }
    inside.trim_start_matches(['_', '.'])
}

#[derive(Debug)]
pub struct ModuleTree {
    modules: Vec<TreeModule>,
    /// `true` if the parts of a path are known, so that points join them.
    is_dotted: bool,
}

#[derive(Debug, Default)]
struct TreeModule {
    part: String,
    parent: ModuleId,
    depth: usize,
    inside: BTreeMap<String, ModuleId>,
    /// The number of weights that the module has directly.
    weights: usize,
    /// The path relative to the enclosing shown module, and that module. `None` if this module is not shown.
    shown: Option<(String, ModuleId)>,
}

impl ModuleTree {
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> ModuleTree {
        let path = |name| {
            let mut parts = parts(name);
            parts.pop();
            parts
        };
        ModuleTree::of_parts(names.map(path), false)
    }

    /// Returns the tree of paths that are known: `layers.0.self_attn`.
    pub fn of_paths<'n>(paths: impl Iterator<Item = &'n str>) -> ModuleTree {
        ModuleTree::of_parts(paths.map(|it| path_parts(it).collect()), true)
    }

    fn of_parts<'n>(paths: impl Iterator<Item = Vec<&'n str>>, is_dotted: bool) -> ModuleTree {
        let mut tree = ModuleTree {
            modules: vec![TreeModule::default()],
            is_dotted,
        };
        for path in paths {
            let at = path.into_iter().fold(ROOT, |at, it| tree.child(at, it));
            tree.modules[at].weights += 1;
        }
        tree.modules[ROOT].shown = Some((String::new(), ROOT));
        // A module comes after its parent.
        for at in 1..tree.modules.len() {
            tree.show(at);
        }
        tree
    }

    /// Returns the module of a path that the tree was built from.
    pub fn module_at(&self, path: &str) -> ModuleId {
        self.shown_of(path_parts(path))
    }

    fn child(&mut self, around: ModuleId, part: &str) -> ModuleId {
        if let Some(&known) = self.modules[around].inside.get(part) {
            return known;
        }
        let at = self.modules.len();
        self.modules.push(TreeModule {
            part: part.to_owned(),
            parent: around,
            ..TreeModule::default()
        });
        self.modules[around].inside.insert(part.to_owned(), at);
        at
    }

    /// Shows a module if it has several parts. A step of the path with a single child adds no information.
    fn show(&mut self, at: ModuleId) {
        let module = &self.modules[at];
        let has_several = module.inside.len() + module.weights > 1;
        if !has_several && !is_index(&module.part) {
            return;
        }
        let mut path = module.part.clone();
        let mut after_index = is_index(&path);
        let mut around = module.parent;
        while self.modules[around].shown.is_none() {
            let part = &self.modules[around].part;
            let join = if self.is_dotted || after_index || is_index(part) {
                '.'
            } else {
                '_'
            };
            after_index = is_index(part);
            path = format!("{part}{join}{path}");
            around = self.modules[around].parent;
        }
        if around != ROOT {
            let outer = self.modules[around].shown.as_ref();
            let outer = outer.map_or("", |it| it.0.as_str());
            path = format!("{outer}.{path}");
        }
        self.modules[at].depth = self.modules[around].depth + 1;
        self.modules[at].shown = Some((path, around));
    }

    /// Returns `true` if no module except the root is shown.
    pub fn is_empty(&self) -> bool {
        self.modules[1..].iter().all(|it| it.shown.is_none())
    }

    /// Returns the module of a weight that the tree was built from.
    pub fn module_of(&self, name: &str) -> ModuleId {
        let parts = parts(name);
        self.shown_of(parts[..parts.len().saturating_sub(1)].iter().copied())
    }

    fn shown_of<'n>(&self, parts: impl Iterator<Item = &'n str>) -> ModuleId {
        let mut at = ROOT;
        let mut shown = ROOT;
        for part in parts {
            let Some(&inside) = self.modules[at].inside.get(part) else {
                break;
            };
            at = inside;
            if self.modules[at].shown.is_some() {
                shown = at;
            }
        }
        shown
    }

    /// Returns the path of a module, such as `layers.0.attn`.
    pub fn label(&self, module: ModuleId) -> &str {
        self.modules[module].shown.as_ref().map_or("", |it| &it.0)
    }

    /// Returns the enclosing shown module.
    pub fn parent(&self, module: ModuleId) -> ModuleId {
        self.modules[module].shown.as_ref().map_or(ROOT, |it| it.1)
    }

    /// Returns the innermost layer, such as `layers.0`, that contains a module.
    pub fn layer(&self, module: ModuleId) -> ModuleId {
        let mut at = module;
        while at != ROOT && !is_index(&self.modules[at].part) {
            at = self.parent(at);
        }
        at
    }

    /// Returns the innermost module that contains both.
    pub fn common(&self, a: ModuleId, b: ModuleId) -> ModuleId {
        let (mut a, mut b) = (a, b);
        while a != b {
            if self.modules[a].depth >= self.modules[b].depth {
                a = self.parent(a);
            } else {
                b = self.parent(b);
            }
        }
        a
    }

    pub fn deeper(&self, a: ModuleId, b: ModuleId) -> ModuleId {
        if self.modules[b].depth > self.modules[a].depth {
            b
        } else {
            a
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ModuleTree, is_named_weight, is_weight, within};

    #[test]
    fn parameter_names_of_weights_are_recognised() {
        let names = [
            "fc1_weight",
            "layers_0_o_x",
            "lm.head.bias",
            "split_01",
            "input_ids",
            "x",
            "lv_1_2",
        ];
        let found = names.map(is_weight);
        assert_eq!(found, [true, true, true, false, false, false, true]);
    }

    #[test]
    fn the_last_part_of_a_name_says_that_it_is_a_weight() {
        let names = ["layers.0.attn.bias", "past_key_values_0_key", "weight", "w"];
        assert_eq!(names.map(is_named_weight), [true, false, false, false]);
    }

    #[test]
    fn a_weight_has_a_shorter_name_inside_its_module() {
        let module = "layers.0.attn";
        let names = ["layers_0_attn_qkv_weight", "layers_0_attnx_weight", "head"];
        let found = names.map(|it| within(module, it));
        assert_eq!(found, ["qkv_weight", "layers_0_attnx_weight", "head"]);
    }

    #[test]
    fn name_segments_with_a_single_child_are_merged() {
        let names = [
            "model_layers_0_self_attn_q_proj_weight",
            "model_layers_0_self_attn_k_proj_weight",
            "model_layers_0_input_layernorm_weight",
            "model_layers_1_self_attn_q_proj_weight",
            "model_layers_1_self_attn_k_proj_weight",
            "model_layers_1_input_layernorm_weight",
            "model_norm_weight",
            "lm_head_weight",
        ];
        let tree = ModuleTree::of(names.into_iter());
        let labels = names.map(|it| tree.label(tree.module_of(it)));
        assert_eq!(
            labels,
            [
                "model.layers.0.self_attn",
                "model.layers.0.self_attn",
                "model.layers.0",
                "model.layers.1.self_attn",
                "model.layers.1.self_attn",
                "model.layers.1",
                "model",
                "",
            ]
        );
    }
}
