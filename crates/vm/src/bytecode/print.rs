//! Prints bytecode in the style of TVM's `as_text`.

use super::{Callee, Constant, Function, Instruction, Operand, Program, Reg};
use crate::kernels::Arg;
use crate::listing::Listing;

impl Program {
    /// Prints every function, one instruction per line.
    pub fn as_text(&self) -> String {
        self.listing().text
    }

    /// Like `as_text`, with the source of each line.
    pub fn listing(&self) -> Listing {
        let mut listing = Listing::default();
        for function in self.functions() {
            self.list(function, &mut listing);
            listing.line("", None);
        }
        listing
    }

    /// Returns the name of a callee in the table.
    pub fn callee_name(&self, callee: &Callee) -> String {
        match callee {
            Callee::Function(function) => function.name.to_string(),
            Callee::Kernel(op, _) => op.name.to_string(),
            Callee::Operator(operator) => operator.name().to_owned(),
            Callee::Builtin(builtin) => builtin.name.to_string(),
            Callee::PrimFunc(prim) => prim.name.to_string(),
            Callee::External { name, .. } => name.to_string(),
        }
    }

    fn list(&self, function: &Function, listing: &mut Listing) {
        let params: Vec<&str> = function.params.iter().map(|p| p.name.as_str()).collect();
        let head = format!("@{}({}):", function.name, params.join(", "));
        listing.line(&head, None);
        for (at, instruction) in function.code.iter().enumerate() {
            let text = match instruction {
                Instruction::Call { dst, callee, args } => {
                    let name = self
                        .callee(*callee)
                        .map_or_else(|| "?".to_owned(), |c| self.callee_name(c));
                    let args: Vec<String> = args.iter().map(|a| self.operand(*a)).collect();
                    let dst = if *dst == Reg::VOID {
                        "void".to_owned()
                    } else {
                        format!("%{}", dst.0)
                    };
                    format!(
                        "  {:<6} {name:<32} in: {:<40} dst: {dst}",
                        "call",
                        args.join(", ")
                    )
                }
                Instruction::Ret(operand) => {
                    format!("  {:<6} {}", "ret", self.operand(*operand))
                }
                Instruction::Goto(offset) => {
                    format!("  {:<6} {}", "goto", at + *offset as usize)
                }
                Instruction::If { cond, otherwise } => format!(
                    "  {:<6} {} else {}",
                    "if",
                    self.operand(*cond),
                    at + *otherwise as usize
                ),
            };
            let origin = function.origins.get(at);
            listing.line(&text, origin.map(|it| it.range + function.start));
        }
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(reg) => format!("%{}", reg.0),
            // The exclamation mark means that the value is not needed afterwards.
            Operand::Last(reg) => format!("%{}!", reg.0),
            Operand::Int(value) => format!("i{value}"),
            Operand::Callee(id) => {
                let name = self.callee(id).map(|c| self.callee_name(c));
                format!("f[{}]", name.unwrap_or_default())
            }
            Operand::Const(id) => match self.constant(id) {
                Some(Constant::Value(value)) => format!("c[{}]", value.describe()),
                Some(Constant::Attr(attr)) => format!("c[{}]", attribute(attr)),
                Some(Constant::Dim(dim)) => format!("c[{}]", dim.expr),
                Some(Constant::DType(dtype)) => format!("c[{dtype}]"),
                Some(Constant::Shape(dims)) => format!("c[{dims:?}]"),
                Some(Constant::Sym(value)) => format!("c[{value}]"),
                None => "c[?]".to_owned(),
            },
        }
    }
}

fn attribute(attr: &Arg) -> String {
    match attr {
        Arg::Value(value) => value.describe(),
        Arg::Default => "default".to_owned(),
        Arg::None => "None".to_owned(),
        Arg::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Arg::Int(value) => value.to_string(),
        Arg::Float(value) => value.to_string(),
        Arg::Str(value) => format!("{value:?}"),
        Arg::DType(dtype) => dtype.to_string(),
        Arg::IndexMap(_) => "index map".to_owned(),
        Arg::List(items) => {
            let items: Vec<String> = items.iter().map(attribute).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
