//! Formats operators as a `def`: `R.sum(x, axis=None, keepdims=False)`.

use std::fmt::{self, Display, Formatter};

use super::{Default, OpDef, Param};

impl OpDef {
    pub fn signature(&self) -> String {
        let params: Vec<String> = self.params.iter().map(Param::to_string).collect();
        format!("R.{}({})", self.script(), params.join(", "))
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = self.name;
        if self.star {
            return write!(f, "*{name}");
        }
        match self.default {
            Default::Required => f.write_str(name),
            Default::None => write!(f, "{name}=None"),
            Default::Bool(true) => write!(f, "{name}=True"),
            Default::Bool(false) => write!(f, "{name}=False"),
            Default::Int(value) => write!(f, "{name}={value}"),
            Default::Float(value) => write!(f, "{name}={value:?}"),
            Default::Str(value) => write!(f, "{name}={value:?}"),
            Default::Ints([one]) => write!(f, "{name}=({one},)"),
            Default::Ints(values) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                write!(f, "{name}=({})", values.join(", "))
            }
        }
    }
}
