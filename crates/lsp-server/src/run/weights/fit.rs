//! Assigns weights to parameters of a function: by name, by number, or by order.
//!
//! Names are compared as exporters change them: `torch.export` makes `p_encoder_layer_0_layernorm_weight` of the
//! parameter `encoder.layer.0.LayerNorm.weight`, and `b_` and `c_` of buffers and constants.

use std::fmt::Write;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use relax::sinfo::{StructInfo, TensorShape};
use rustc_hash::FxHashMap;
use vm::Input;
use vm::bytecode::Function;
use vm::tensor::Tensor;

use super::{Entry, Weights};

/// The maximum number of names in a message.
const SHOWN: usize = 6;

/// What `torch.export` writes before the names of parameters, buffers and constants.
const PREFIXES: [&str; 3] = ["p_", "b_", "c_"];

/// The weights of a function.
pub struct Fitted {
    pub inputs: Vec<(String, Input)>,
    /// Weights that no parameter takes.
    pub unused: Vec<String>,
}

/// Returns the weights for the parameters, except those that `given` names. `names` may list the fields of a tuple in
/// order. An unsuitable weight is an error, and unless the weights `may_be_partial`, so is one that is missing or left
/// over.
pub fn fit(
    weights: &Weights,
    function: &Function,
    names: &[String],
    given: &dyn Fn(&str) -> bool,
    may_be_partial: bool,
) -> Result<Fitted, String> {
    let mut fit = Fit {
        by_key: by_key(weights),
        weights,
        taken: vec![false; weights.entries().len()],
        missing: Vec::new(),
        misfits: Vec::new(),
    };
    let mut places = Vec::new();
    let params = function.source_params();
    let inputs = function.num_input.unwrap_or(params.len());
    for (at, param) in params.iter().enumerate() {
        if given(&param.name) {
            continue;
        }
        match &param.struct_info {
            StructInfo::Tuple(fields) => {
                let place = Place::Fields(fit.tuple(&param.name, fields, names));
                places.push((param.name.to_string(), place));
            }
            info => {
                if let Some(at) = fit.by_name(&param.name) {
                    places.push((param.name.to_string(), Place::Weight(fit.take(at, info))));
                } else if at >= inputs || PREFIXES.iter().any(|it| param.name.starts_with(it)) {
                    fit.missing.push(param.name.to_string());
                }
            }
        }
    }
    let unused = fit.unused();
    let is_partial = !fit.missing.is_empty() || !unused.is_empty();
    if !fit.misfits.is_empty() || is_partial && !may_be_partial {
        return Err(fit.message(&unused));
    }
    let tensors = load(weights, &fit.taken)?;
    let input = |at: Option<usize>| match at.and_then(|at| tensors.get(&at)) {
        Some(tensor) => Input::Given(tensor.clone()),
        None => Input::Random,
    };
    let inputs = places.into_iter().map(|(name, place)| match place {
        Place::Weight(at) => (name, input(at)),
        Place::Fields(fields) => (name, Input::Fields(fields.into_iter().map(input).collect())),
    });
    Ok(Fitted {
        inputs: inputs.collect(),
        unused,
    })
}

/// Loads the tensors that are used, by their indices. Conversions run in parallel.
fn load(weights: &Weights, taken: &[bool]) -> Result<FxHashMap<usize, Tensor>, String> {
    let entries = weights.entries().par_iter().zip(taken).enumerate();
    let entries = entries.filter(|(_, (_, taken))| **taken);
    let tensors = entries.map(|(at, (entry, _))| {
        let tensor = entry.load();
        let tensor = tensor.map_err(|why| format!("weight `{}`: {why}", entry.name))?;
        Ok((at, tensor))
    });
    tensors.collect()
}

/// The weights of a parameter, by their indices. `None` if none fits.
enum Place {
    Weight(Option<usize>),
    Fields(Vec<Option<usize>>),
}

/// Returns the weights by their keys. A key of several weights is `None`.
fn by_key(weights: &Weights) -> FxHashMap<String, Option<usize>> {
    let mut keys = FxHashMap::default();
    for (at, entry) in weights.entries().iter().enumerate() {
        let known = keys.entry(key(&entry.name));
        known.and_modify(|it| *it = None).or_insert(Some(at));
    }
    keys
}

/// Returns the part of a name that exporters keep.
fn key(name: &str) -> String {
    as_identifier(name).to_lowercase()
}

fn shortened_list(list: &[String]) -> String {
    let more = list.len().saturating_sub(SHOWN);
    let mut text = list[..list.len() - more].join(", ");
    if more > 0 {
        let _ = write!(text, ", and {more} more");
    }
    text
}

struct Fit<'w> {
    weights: &'w Weights,
    by_key: FxHashMap<String, Option<usize>>,
    taken: Vec<bool>,
    missing: Vec<String>,
    misfits: Vec<String>,
}

impl Fit<'_> {
    /// Maps `model.layers.0.weight` to the parameter names `model_layers_0_weight` and `p_model_layers_0_weight`.
    fn by_name(&self, name: &str) -> Option<usize> {
        let by_key = |name: &str| self.by_key.get(&key(name)).copied().flatten();
        let without_prefix = || PREFIXES.iter().find_map(|it| name.strip_prefix(it));
        let exact = self.weights.find(name).or_else(|| {
            let mut entries = self.weights.entries().iter();
            let is_same = |it: &Entry| as_identifier(&it.name) == name;
            entries.position(is_same)
        });
        exact
            .or_else(|| by_key(name))
            .or_else(|| without_prefix().and_then(by_key))
    }

    fn message(&self, unused: &[String]) -> String {
        let mut message = String::new();
        if !self.taken.contains(&true) && self.misfits.is_empty() {
            message.push_str("no parameter takes any of the weights\n");
        }
        for (what, list) in [
            ("parameters without a weight", self.missing.as_slice()),
            ("weights that do not fit", &self.misfits),
            ("weights that no parameter takes", unused),
        ] {
            if !list.is_empty() {
                let _ = writeln!(message, "{what}: {}", shortened_list(list));
            }
        }
        if self.misfits.is_empty() {
            message.push_str("`--allow-missing` generates what is missing");
        }
        message.trim_end().to_owned()
    }

    fn take(&mut self, at: usize, info: &StructInfo) -> Option<usize> {
        self.taken[at] = true;
        let misfit = misfit(&self.weights.entries()[at], info);
        let fits = misfit.is_none();
        self.misfits.extend(misfit);
        fits.then_some(at)
    }

    fn tuple(
        &mut self,
        param: &str,
        fields: &[StructInfo],
        names: &[String],
    ) -> Vec<Option<usize>> {
        let places = self.places(param, fields, names);
        let fields = fields.iter().zip(places).enumerate();
        let taken = fields.map(|(at, (field, place))| {
            if place.is_none() {
                let name = names.get(at).map(|it| format!(" ({it})"));
                let missing = format!("{param}.{at}{}", name.unwrap_or_default());
                self.missing.push(missing);
            }
            self.take(place?, field)
        });
        taken.collect()
    }

    fn places(&self, param: &str, fields: &[StructInfo], names: &[String]) -> Vec<Option<usize>> {
        if !names.is_empty() {
            let find = |at: usize| names.get(at).and_then(|name| self.by_name(name));
            return (0..fields.len()).map(find).collect();
        }
        for prefix in [
            format!("{param}."),
            format!("{param}_"),
            "param_".to_owned(),
        ] {
            let find = |at: usize| self.weights.find(&format!("{prefix}{at}"));
            let found: Vec<Option<usize>> = (0..fields.len()).map(find).collect();
            if found.iter().any(Option::is_some) {
                return found;
            }
        }
        // If there are as many weights as fields, use the order of the file.
        let entries = self.weights.entries();
        let in_order = entries.len() == fields.len();
        (0..fields.len()).map(|at| in_order.then_some(at)).collect()
    }

    fn unused(&self) -> Vec<String> {
        let entries = self.weights.entries().iter().zip(&self.taken);
        let unused = entries.filter(|(_, taken)| !**taken);
        unused.map(|(entry, _)| entry.name.clone()).collect()
    }
}

fn as_identifier(name: &str) -> String {
    name.replace(|c: char| !c.is_alphanumeric(), "_")
}

/// Returns why a weight does not match an annotation.
fn misfit(entry: &Entry, info: &StructInfo) -> Option<String> {
    let tensor = info.as_tensor()?;
    let is = format!(
        "{} is {} of {}",
        entry.name,
        vm::tensor::show_shape(&entry.shape),
        entry.dtype
    );
    if let Some(dtype) = tensor.known_dtype()
        && dtype != entry.dtype
    {
        return Some(format!("{is}, but {dtype} is expected"));
    }
    let TensorShape::Known(dims) = &tensor.shape else {
        return None;
    };
    let differs = |(dim, &extent): (&relax::sym::SymExpr, &usize)| {
        dim.as_int().is_some_and(|dim| dim != extent as i64)
    };
    let wrong = dims.len() != entry.shape.len() || dims.iter().zip(&entry.shape).any(differs);
    wrong.then(|| {
        let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
        format!("{is}, but ({}) is expected", dims.join(", "))
    })
}
