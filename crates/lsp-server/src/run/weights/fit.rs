//! Assigns weights to parameters of a function: by name, by number, or by order.

use std::fmt::Write;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use relax::sinfo::{StructInfo, TensorShape};
use rustc_hash::FxHashMap;
use vm::Input;
use vm::bytecode::Function;
use vm::tensor::Tensor;

use super::{Entry, Weights};

/// The maximum number of names in a message.
const SHOWN: usize = 12;

/// The weights of a function.
pub struct Fitted {
    pub inputs: Vec<(String, Input)>,
    /// Weights that no parameter takes.
    pub unused: Vec<String>,
}

/// Returns the weights for the parameters, except those that `given` names. `names` may list the fields of a tuple in
/// order. A missing or unsuitable weight is an error.
pub fn fit(
    weights: &Weights,
    function: &Function,
    names: &[String],
    given: &dyn Fn(&str) -> bool,
) -> Result<Fitted, String> {
    let mut fit = Fit {
        weights,
        taken: vec![false; weights.entries().len()],
        missing: Vec::new(),
        misfits: Vec::new(),
    };
    let mut places = Vec::new();
    for param in function.source_params() {
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
                }
            }
        }
    }
    let mut message = String::new();
    for (what, list) in [
        ("parameters without a weight", &fit.missing),
        ("weights that do not fit", &fit.misfits),
    ] {
        if !list.is_empty() {
            let _ = writeln!(message, "{what}: {}", shortened_list(list));
        }
    }
    if !message.is_empty() {
        let unused = fit.unused();
        if !unused.is_empty() {
            let _ = writeln!(
                message,
                "weights that no parameter takes: {}",
                shortened_list(&unused)
            );
        }
        return Err(message.trim_end().to_owned());
    }
    let tensors = load(weights, &fit.taken)?;
    let input = |at: Option<usize>| match at.and_then(|at| tensors.get(&at)) {
        Some(tensor) => Input::Given(tensor.clone()),
        None => Input::Zeros,
    };
    let inputs = places.into_iter().map(|(name, place)| match place {
        Place::Weight(at) => (name, input(at)),
        Place::Fields(fields) => (name, Input::Fields(fields.into_iter().map(input).collect())),
    });
    Ok(Fitted {
        inputs: inputs.collect(),
        unused: fit.unused(),
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
    taken: Vec<bool>,
    missing: Vec<String>,
    misfits: Vec<String>,
}

impl Fit<'_> {
    /// Maps `model.layers.0.weight` to the parameter name `model_layers_0_weight`.
    fn by_name(&self, name: &str) -> Option<usize> {
        self.weights.find(name).or_else(|| {
            let mut entries = self.weights.entries().iter();
            entries.position(|entry| as_identifier(&entry.name) == name)
        })
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
