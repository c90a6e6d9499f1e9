//! The state of a program that is being written: unused names, operands in scope, and new parameters for others.

use relax::release::Release;
use std::fmt::Write as _;

use relax::sinfo::StructInfo;
use tests::random::Random;

use super::super::ours::conclude;
use super::callees::Helper;
use super::operators::Operators;
use super::types::{Dims, names_of, spelled};

/// The virtual devices of a module with devices.
const DEVICES: &str = "    I.module_global_infos({\"vdevice\": [I.vdevice(\"llvm\"), I.vdevice(\"cuda\", 0), I.vdevice(\"cuda\", 1)]})\n\n";

/// A variable of Relax.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub info: StructInfo,
}

/// The names that a statement can use, besides the parameters of the function.
#[derive(Clone, Default)]
pub struct Scope {
    pub vars: Vec<Var>,
    /// Shape variables.
    pub names: Vec<String>,
    pub dataflow: bool,
    /// The number of `vars` before the dataflow block.
    pub before: usize,
    pub pure: bool,
    /// The number of enclosing branches and functions.
    pub depth: usize,
}

/// The one mistake of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A call of an operator with unchecked operands.
    Operator,
    /// A statement that is wrong or misplaced.
    Statement,
    /// An edit of the finished text.
    Edit,
}

pub struct Writer<'t> {
    pub random: Random,
    pub release: Release,
    pub operators: &'t Operators,
    pub helpers: Vec<Helper>,
    /// The parameters of the function. A statement that needs another operand adds one.
    pub params: Vec<Var>,
    /// Whether shape variables are declared as `n = TypeVar("n")` and not as strings.
    pub type_vars: bool,
    /// Whether the module lists virtual devices.
    pub devices: bool,
    /// The mistake that is still to be made.
    pub mistake: Option<Mistake>,
    /// The mistake, for the report.
    pub label: String,
    count: usize,
}

impl<'t> Writer<'t> {
    pub fn new(seed: u64, release: Release, operators: &'t Operators) -> Writer<'t> {
        Writer {
            random: Random::new(seed),
            release,
            operators,
            helpers: Vec::new(),
            params: Vec::new(),
            type_vars: false,
            devices: false,
            mistake: None,
            label: String::new(),
            count: 0,
        }
    }

    /// Returns an unused name.
    pub fn unused_name(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }

    /// The spelling of dimensions in a signature.
    pub fn signature_dims(&self) -> Dims {
        if self.type_vars {
            Dims::Declared
        } else {
            Dims::Quoted
        }
    }

    pub fn body_text(&self, info: &StructInfo) -> Option<String> {
        spelled(info, self.release, Dims::Bare)
    }

    pub fn signature_text(&self, info: &StructInfo) -> Option<String> {
        spelled(info, self.release, self.signature_dims())
    }

    /// Returns the variables in scope whose StructInfo satisfies `wanted`.
    pub fn vars(&self, scope: &Scope, wanted: impl Fn(&StructInfo) -> bool) -> Vec<Var> {
        let all = self.params.iter().chain(&scope.vars);
        all.filter(|var| wanted(&var.info)).cloned().collect()
    }

    /// Returns one of them, if any. Later ones are more likely.
    pub fn some_var(&mut self, scope: &Scope, wanted: impl Fn(&StructInfo) -> bool) -> Option<Var> {
        let vars = self.vars(scope, wanted);
        if vars.is_empty() {
            return None;
        }
        let at = self
            .random
            .below(vars.len())
            .max(self.random.below(vars.len()));
        Some(vars[at].clone())
    }

    /// Returns a tensor in scope, or a new parameter.
    pub fn some_tensor(&mut self, scope: &Scope) -> Var {
        if let Some(var) = self.some_var(scope, |it| it.as_tensor().is_some()) {
            return var;
        }
        let names: Vec<String> = super::types::NAMES.map(String::from).to_vec();
        let info = super::types::tensor(&mut self.random, &names);
        self.new_param(info)
    }

    pub fn new_param(&mut self, info: StructInfo) -> Var {
        let name = self.unused_name("p");
        self.params.push(Var { name, info });
        self.params[self.params.len() - 1].clone()
    }

    /// Returns a variable in scope with this StructInfo, or a new parameter. `None` if a parameter cannot have it.
    pub fn operand(&mut self, scope: &Scope, info: &StructInfo) -> Option<String> {
        let text = self.body_text(info)?;
        let same = self.vars(scope, |it| it == info);
        let same = if same.is_empty() {
            let way = (self.release, Dims::Bare);
            self.vars(scope, |it| {
                spelled(it, way.0, way.1).as_deref() == Some(&*text)
            })
        } else {
            same
        };
        if !same.is_empty() && !self.random.chance(15) {
            return Some(self.random.pick(&same).name.clone());
        }
        // A parameter cannot use a shape variable of a `match_cast`.
        let declared = |name: &String| super::types::NAMES.contains(&name.as_str());
        if !names_of(info).iter().all(declared) {
            return same.first().map(|var| var.name.clone());
        }
        Some(self.new_param(info.clone()).name)
    }

    /// Infers the variables `wanted` of these lines. `None` if the lines have an error.
    pub fn learn(
        &self,
        scope: &Scope,
        lines: &[String],
        wanted: &[&str],
    ) -> Option<Vec<StructInfo>> {
        let text = self.probe(scope, lines);
        let found = conclude(&text, Some(self.release));
        if !found.errors.is_empty() {
            return None;
        }
        let probe = found.functions.iter().find(|it| it.name == "probe")?;
        let info_of = |name: &&str| {
            let mut named = probe.bindings.iter().rev();
            let info = &named.find(|it| it.name == **name)?.info;
            (!info.is_unknown()).then(|| info.clone())
        };
        wanted.iter().map(info_of).collect()
    }

    /// Returns a program with only these lines, whose operands are parameters.
    fn probe(&self, scope: &Scope, lines: &[String]) -> String {
        let body = lines.join("\n");
        let mentioned = |name: &str| {
            body.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .any(|word| word == name)
        };
        let mut names: Vec<String> = super::types::NAMES.map(String::from).to_vec();
        names.extend(scope.names.iter().cloned());
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let mut params = vec![format!("shapes: R.Shape([{}])", quoted.join(", "))];
        for var in self.params.iter().chain(&scope.vars) {
            if mentioned(&var.name)
                && let Some(text) = spelled(&var.info, self.release, Dims::Quoted)
            {
                params.push(format!("{}: {text}", var.name));
            }
        }
        let mut function = vec![
            "@R.function(pure=False)".to_owned(),
            format!("def probe({}):", params.join(", ")),
        ];
        function.extend(indented(lines));
        function.push("    return shapes".to_owned());
        let module = self.devices || body.contains("cls.") || body.contains("Module.");
        self.file(function, module)
    }

    /// Returns the file with a function. A function of a module is in it with its helpers.
    pub fn file(&self, function: Vec<String>, module: bool) -> String {
        let mut text = super::super::tvm::IMPORTS.to_owned();
        if self.type_vars {
            text.push_str("from typing import TypeVar\n\n");
            for name in super::types::NAMES {
                let _ = writeln!(text, "{name} = TypeVar(\"{name}\")");
            }
        }
        text.push('\n');
        if !module {
            text.push_str(&function.join("\n"));
            text.push('\n');
            return text;
        }
        text.push_str("@I.ir_module\nclass Module:\n");
        if self.devices {
            text.push_str(DEVICES);
        }
        let helpers = self.helpers.iter().map(|helper| helper.lines.clone());
        for mut function in helpers.chain([function]) {
            if function.iter().any(|line| line.contains("cls.")) {
                let def = function.iter().position(|line| line.starts_with("def "));
                function.insert(def.map_or(0, |at| at + 1), "    cls = Module".to_owned());
            }
            text.push_str(&indented(&function).join("\n"));
            text.push_str("\n\n");
        }
        text
    }
}

pub fn indented(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| format!("    {line}")).collect()
}
