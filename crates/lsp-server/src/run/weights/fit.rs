//! Which weight each parameter of a function takes: by name, by number, by order.

use std::fmt::Write;

use relax::sinfo::{StructInfo, TensorShape};
use vm::Input;
use vm::bytecode::Function;

use super::{Entry, Weights};

/// Names that a message has room for.
const SHOWN: usize = 12;

/// The weights of a function.
#[derive(Default)]
pub struct Fitted {
    pub inputs: Vec<(String, Input)>,
    /// Weights that no parameter takes.
    pub unused: Vec<String>,
}

/// The weights that the parameters take. Those that `given` names are left out; names of the fields of a tuple may be
/// given, in their order. What is missing or does not fit is an error.
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
    let mut fitted = Fitted::default();
    for param in function.source_params() {
        if given(&param.name) {
            continue;
        }
        match &param.struct_info {
            StructInfo::Tuple(fields) => {
                let input = fit.tuple(&param.name, fields, names)?;
                fitted.inputs.push((param.name.to_string(), input));
            }
            info => {
                if let Some(at) = fit.by_name(&param.name) {
                    fitted
                        .inputs
                        .push((param.name.to_string(), fit.take(at, info)?));
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
            let _ = writeln!(message, "{what}: {}", shown(list));
        }
    }
    if !message.is_empty() {
        let unused = fit.unused();
        if !unused.is_empty() {
            let _ = writeln!(
                message,
                "weights that no parameter takes: {}",
                shown(&unused)
            );
        }
        return Err(message.trim_end().to_owned());
    }
    fitted.unused = fit.unused();
    Ok(fitted)
}

fn shown(list: &[String]) -> String {
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
    /// `model.layers.0.weight` is `model_layers_0_weight` as a parameter.
    fn by_name(&self, name: &str) -> Option<usize> {
        self.weights.find(name).or_else(|| {
            let mut entries = self.weights.entries().iter();
            entries.position(|entry| as_identifier(&entry.name) == name)
        })
    }

    fn take(&mut self, at: usize, info: &StructInfo) -> Result<Input, String> {
        let entry = &self.weights.entries()[at];
        self.taken[at] = true;
        if let Some(why) = misfit(entry, info) {
            self.misfits.push(why);
            return Ok(Input::Zeros);
        }
        let tensor = entry.load();
        tensor
            .map(Input::Given)
            .map_err(|why| format!("weight `{}`: {why}", entry.name))
    }

    fn tuple(
        &mut self,
        param: &str,
        fields: &[StructInfo],
        names: &[String],
    ) -> Result<Input, String> {
        let places = self.places(param, fields, names);
        let mut inputs = Vec::with_capacity(fields.len());
        for (at, (field, place)) in fields.iter().zip(places).enumerate() {
            inputs.push(match place {
                Some(place) => self.take(place, field)?,
                None => {
                    let name = names.get(at).map(|it| format!(" ({it})"));
                    self.missing
                        .push(format!("{param}.{at}{}", name.unwrap_or_default()));
                    Input::Zeros
                }
            });
        }
        Ok(Input::Fields(inputs))
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
        // As many as there are, in the order of the file.
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

/// Why a weight cannot be what the annotation says.
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
        return Some(format!("{is}, and {dtype} is wanted"));
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
        format!("{is}, and ({}) is wanted", dims.join(", "))
    })
}
