//! Calls of operators that LegalizeOps leaves or stops at, though all shapes are known.

use relax::sinfo::StructInfo;
use relax::value::Value;
use smol_str::{SmolStr, format_smolstr};

use crate::facts::{ArgFact, CallFact};
use crate::incremental::LazyFacts;

/// The only layouts of each transposed convolution that are lowered.
const TRANSPOSED: &[(&str, &str, &str)] = &[
    ("relax.nn.conv1d_transpose", "NCW", "IOW"),
    ("relax.nn.conv2d_transpose", "NCHW", "IOHW"),
    ("relax.nn.conv3d_transpose", "NCDHW", "IODHW"),
];

/// Returns why a call is not lowered.
pub(super) fn unlowered(call: &CallFact, facts: &LazyFacts) -> Option<SmolStr> {
    let call = Call { call, facts };
    match call.call.op.0.name {
        "relax.nn.prelu" => call.slopes(),
        _ => call.layout(),
    }
}

struct Call<'f> {
    call: &'f CallFact,
    facts: &'f LazyFacts,
}

impl Call<'_> {
    fn value(&self, param: &str) -> Option<&Value> {
        let at = self
            .call
            .op
            .0
            .params
            .iter()
            .position(|it| it.name == param)?;
        match self.call.args.get(at)? {
            ArgFact::One(expr) => Some(self.facts.value(*expr)),
            ArgFact::Absent | ArgFact::Many(_) => None,
        }
    }

    /// Returns an extent of an operand if it is a number.
    fn extent(&self, param: &str, axis: Option<i64>) -> Option<i64> {
        let sinfo = self.value(param)?.struct_info()?;
        let StructInfo::Tensor(tensor) = &sinfo else {
            return None;
        };
        let dims = tensor.dims()?;
        let axis = axis.unwrap_or_default();
        let from_end = if axis < 0 { dims.len() as i64 } else { 0 };
        dims.get(usize::try_from(axis + from_end).ok()?)?.as_int()
    }

    fn slopes(&self) -> Option<SmolStr> {
        let axis = match self.value("axis") {
            Some(Value::Int(axis)) => *axis,
            Some(_) => return None,
            None => 1,
        };
        let channels = self.extent("data", Some(axis))?;
        let slopes = self.extent("alpha", None)?;
        (slopes != channels).then(|| {
            format_smolstr!("dimension {axis} is {channels}, but there are {slopes} slopes")
        })
    }

    fn layout(&self) -> Option<SmolStr> {
        let op = self.call.op.0;
        let given = |name: &str| match self.value(name) {
            Some(Value::Str(text)) if !text.is_empty() => Some(text.as_str()),
            _ => None,
        };
        let only = |name: &str, wanted: &str| {
            let given = given(name).filter(|it| *it != wanted)?;
            Some(format_smolstr!(
                "its layout is `{name}=\"{given}\"`, not `\"{wanted}\"`"
            ))
        };
        if let Some((_, data, kernel)) = TRANSPOSED.iter().find(|row| row.0 == op.name) {
            return only("data_layout", data)
                .or_else(|| only("kernel_layout", kernel))
                .or_else(|| only("out_layout", data));
        }
        let is_param = |name: &&str| op.params.iter().any(|it| it.name == *name);
        let data = ["data_layout", "layout"].into_iter().find(is_param)?;
        let of_data = given(data).or_else(|| default_layout(op.name))?;
        only("out_layout", of_data)
    }
}

/// Returns the layout of a convolution or pool whose call does not give one.
fn default_layout(op: &str) -> Option<&'static str> {
    let sizes = [("1d", "NCW"), ("2d", "NCHW"), ("3d", "NCDHW")];
    let found = sizes.iter().find(|(size, _)| op.ends_with(size));
    found.map(|(_, layout)| *layout)
}
