//! The specification's criteria of well-formedness. The row of each diagnostic code names the criteria that it
//! reports.

#[cfg(test)]
mod tests;

use relax::Code;

/// One criterion, summarized.
pub struct Criterion {
    /// The number in the newer specification, or `RFC` and a number if only the older one has it.
    pub number: &'static str,
    pub holds: &'static str,
    /// A note. Never empty if no code reports the criterion.
    pub note: &'static str,
}

impl Criterion {
    /// Returns the codes that report violations.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        let all = Code::ALL.iter().copied();
        all.filter(|code| code.criteria().contains(&self.number))
    }
}

#[rustfmt::skip]
pub static CRITERIA: &[Criterion] = &[
    Criterion { number: "1", holds: "A dataflow var is used in its own block only.", note: "" },
    Criterion { number: "2", holds: "A variable is a parameter or bound once.", note: "binding a name again makes another variable, as in TVMScript; functions of one module and shape variables cannot share a name" },
    Criterion { number: "3", holds: "A variable is bound before it is used.", note: "" },
    Criterion { number: "4", holds: "The return annotation uses shape variables of the signature and of the scope around.", note: "" },
    Criterion { number: "5", holds: "A shape variable is bound, alone in a dimension, before it is used.", note: "" },
    Criterion { number: "6", holds: "Each shape variable of a signature is a dimension by itself somewhere in the signature.", note: "" },
    Criterion { number: "7", holds: "A dataflow block holds no recursion, no branch and no impure call.", note: "" },
    Criterion { number: "8", holds: "A recursive function has a return annotation.", note: "" },
    Criterion { number: "9", holds: "An operator is only used as the callee of a call.", note: "a name for an operator (`op = R.add`) is a Python alias" },
    Criterion { number: "10", holds: "`ndim` agrees with the dimensions beside it.", note: "TVM accepts only one of the two" },
    Criterion { number: "11", holds: "A local function in a dataflow block uses no dataflow var from outside.", note: "" },
    Criterion { number: "12", holds: "A module has a function that can be called from outside.", note: "" },
    Criterion { number: "13", holds: "`global_symbol` is the function's name.", note: "" },
    Criterion { number: "14", holds: "The shape of a tensor is a variable or dimensions, in scope.", note: "" },
    Criterion { number: "15", holds: "The values of a shape are in scope and as many as `ndim`.", note: "" },
    Criterion { number: "16", holds: "The value of a scalar is in scope.", note: "" },
    Criterion { number: "17", holds: "A callable has parameters or a derivation function, not both.", note: "one with neither is opaque" },
    Criterion { number: "18", holds: "`R.prim_value` holds a number.", note: "" },
    Criterion { number: "19", holds: "A scalar is an integer or a float.", note: "" },
    Criterion { number: "20", holds: "A dtype has one lane and a width that exists.", note: "what TVM has beyond the specification (bfloat16, float8, ...) is accepted" },
    Criterion { number: "21", holds: "`relax.force_pure` is for pure functions.", note: "" },
    Criterion { number: "22", holds: "The value of a scalar is of its dtype.", note: "for declared shape variables; in the Type dialect a scalar annotation has no value" },
    Criterion { number: "23", holds: "A call has the form that its operator normalizes it to.", note: "`R.call_tir_inplace`; `lower --stage normalized` does what TVM does for the others" },
    Criterion { number: "24", holds: "A device of an annotation is listed by the module.", note: "" },
    Criterion { number: "RFC 9", holds: "`ExternFunc` is only used as the callee of a call.", note: "no longer a rule: packed functions are values of an opaque type" },
    Criterion { number: "RFC 10", holds: "Calls of packed functions have one type argument.", note: "the newer specification takes any number (`sinfo_args=`, `ty_args=`): without one the result is an object, of several a tuple" },
    Criterion { number: "RFC 15", holds: "What a shape annotation calls is pure.", note: "annotations hold shape expressions, which call nothing" },
    Criterion { number: "RFC 16", holds: "`RuntimeDepShape` is only used in annotations.", note: "removed: an unknown shape is left out" },
];
