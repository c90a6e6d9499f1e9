//! Statements with statements inside: branches, dataflow blocks, local functions.

use super::release::Words as _;
use relax::sinfo::StructInfo;

use super::operators::right_call;
use super::statements::Lines;
use super::types::{self, NAMES, names_of};
use super::writer::{Scope, Var, Writer, indented};

impl Writer<'_> {
    /// The variable of the last binding of a branch.
    pub fn last_value(&mut self, scope: &mut Scope) -> String {
        if self.random.chance(60)
            && let Some((text, _)) = right_call(self, scope)
        {
            return text;
        }
        self.some_tensor(scope).name
    }

    pub fn branch(&mut self, scope: &mut Scope) -> Lines {
        let condition = self.operand(scope, &types::bool_scalar())?;
        let name = self.unused_name("v");
        let same = self.some_tensor(scope);
        let alike = self.random.chance(50);
        let mut lines = Vec::new();
        for head in [format!("if {condition}:"), "else:".to_owned()] {
            let mut inner = scope.clone();
            inner.depth += 1;
            let count = self.random.below(3);
            let mut body = self.block(&mut inner, count);
            let value = if alike {
                let unary = *self.random.pick(&["abs", "negative", "nn.relu"]);
                format!("R.{unary}({})", same.name)
            } else {
                self.last_value(&mut inner)
            };
            body.push(format!("{name} = {value}"));
            lines.push(head);
            lines.extend(indented(&body));
        }
        self.reach(scope, &lines, vec![name]);
        Some(lines)
    }

    pub fn dataflow(&mut self, scope: &mut Scope) -> Lines {
        let mut inner = scope.clone();
        inner.dataflow = true;
        inner.before = scope.vars.len();
        let count = self.random.below(4) + 1;
        let body = self.block(&mut inner, count);
        let bound = inner.vars.split_off(scope.vars.len());
        if bound.is_empty() {
            return None;
        }
        let mut outputs: Vec<Var> = bound
            .iter()
            .filter(|_| self.random.chance(50))
            .cloned()
            .collect();
        if outputs.is_empty() {
            outputs.push(bound[bound.len() - 1].clone());
        }
        let names: Vec<&str> = outputs.iter().map(|it| it.name.as_str()).collect();
        let mut lines = vec!["with R.dataflow():".to_owned()];
        lines.extend(indented(&body));
        lines.push(format!("    R.output({})", names.join(", ")));
        // Shape variables of the block do not exist after it.
        let declared = |info: &StructInfo| {
            let names = names_of(info);
            names
                .iter()
                .all(|it| scope.names.contains(it) || NAMES.contains(&it.as_str()))
        };
        outputs.retain(|it| declared(&it.info));
        scope.vars.extend(outputs);
        Some(lines)
    }

    pub fn local_function(&mut self, scope: &mut Scope) -> Lines {
        let name = self.unused_name("local");
        let pure = scope.pure || self.random.chance(70);
        let seen = if scope.dataflow && !self.random.chance(10) {
            scope.before
        } else {
            scope.vars.len()
        };
        let mut inner = Scope {
            vars: scope.vars[..seen].to_vec(),
            names: scope.names.clone(),
            dataflow: false,
            before: 0,
            pure,
            depth: scope.depth + 1,
        };
        let names = if self.release.has_types() || self.random.chance(20) {
            NAMES.map(String::from).to_vec()
        } else {
            vec!["a".to_owned(), "b".to_owned()]
        };
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let info = types::any(&mut self.random, &names, 1);
            let param = self.unused_name("a");
            params.push(format!("{param}: {}", self.signature_text(&info)?));
            inner.vars.push(Var { name: param, info });
        }
        let count = self.random.below(3);
        let mut body = self.block(&mut inner, count);
        let (text, info) = self.result(&mut inner);
        body.push(format!("return {text}"));
        let arrow = self.arrow(info.as_ref());
        let decorator = if pure {
            "@R.function"
        } else {
            "@R.function(pure=False)"
        };
        let mut lines = vec![decorator.to_owned()];
        lines.push(format!("def {name}({}){arrow}:", params.join(", ")));
        lines.extend(indented(&body));
        self.reach(scope, &lines, vec![name]);
        Some(lines)
    }
}
