//! Infers dataflow blocks: their variables, and the outputs that `R.output` lists.

use relax::diagnostics::Code;
use relax::release::Release;
use relax::script::Namespace;
use relax::sinfo::StructInfo;
use relax::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::TextRange;

use crate::body::{Expr, ExprId, Stmt, Target};
use crate::facts::{Def, VarId};
use crate::incremental::state::{Outputs, UNCLEAR_OUTPUT};
use crate::infer::{Dataflow, Infer, Local, Scope};

pub(in crate::infer) const MISSING_OUTPUT: &str =
    "this dataflow block has no `R.output`: nothing that it computes can be used";

impl Infer<'_> {
    pub(super) fn output_vars_of(&mut self, expr: ExprId) {
        let vars: Vec<ExprId> = match &self.body.exprs[expr] {
            Expr::Tuple(items) => items.clone(),
            Expr::Name(_) => vec![expr],
            _ => return,
        };
        for expr in vars {
            if let Some(Def::Var(var)) = self.facts.def(expr).cloned() {
                self.output_var(var, self.range(expr));
            }
        }
    }

    /// Reports a variable of the innermost dataflow block in the type of another. Until TVM 0.25, only outputs may not
    /// have such a type: it would be visible outside of the block.
    pub(super) fn check_type_in_block(
        &mut self,
        sinfo: &StructInfo,
        name: &SmolStr,
        at: TextRange,
    ) {
        let mut shape = None;
        sinfo.for_each_shape_var(&mut |name, id| {
            if self.is_bound_in_block(VarId(id)) {
                shape.get_or_insert_with(|| name.clone());
            }
        });
        let Some(shape) = shape else { return };
        let erased = sinfo.without_shape_vars();
        let message = format!(
            "the shape of `{name}` is `{shape}`, a dataflow var, which no type can name: annotate `{name}` as {}",
            erased.quoted(self.cx.release.dialect())
        );
        self.report(Code::DataflowVarInType, at, message).about = Some(name.clone());
    }

    fn is_bound_in_block(&self, var: VarId) -> bool {
        let mut scopes = self.scopes.iter().rev();
        match scopes.find_map(|scope| scope.dataflow.as_ref()) {
            Some(dataflow) => dataflow.emitted.contains(&var),
            None => self.base.is_bound_in_block(var, &self.facts),
        }
    }

    /// Marks a variable as an output of the dataflow block that binds it.
    pub(in crate::infer) fn output_var(&mut self, var: VarId, range: TextRange) -> bool {
        let release = self.cx.release;
        if release > Release::Rfc && !release.checks_types_in_dataflow() {
            let fact = self.var(var);
            let (sinfo, name) = (fact.struct_info.clone(), fact.name.clone());
            self.check_type_in_block(&sinfo, &name, range);
        }
        for scope in self.scopes.iter_mut().rev() {
            if let Some(dataflow) = &mut scope.dataflow {
                if dataflow.emitted.contains(&var) {
                    if self.facts.promoted.insert(var) {
                        dataflow.outputs.push(var);
                    }
                    return true;
                }
                return false;
            }
        }
        let is_output = self.base.is_bound_in_block(var, &self.facts);
        if is_output && self.facts.promoted.insert(var) {
            self.facts.outputs.push(var);
        }
        is_output
    }

    /// Returns `true` if any variable may be an output of the innermost dataflow block.
    pub(in crate::infer) fn has_unclear_output(&self) -> bool {
        let mut scopes = self.scopes.iter().rev();
        match scopes.find_map(|scope| scope.dataflow.as_ref()) {
            Some(dataflow) => Outputs::of(&dataflow.outputs) == Outputs::Unclear,
            None => self.base.has_unclear_output(&self.facts),
        }
    }

    /// Records that the outputs of the dataflow block cannot be determined.
    pub(in crate::infer) fn unclear_output(&mut self) {
        let inside = self
            .scopes
            .iter_mut()
            .rev()
            .find_map(|s| s.dataflow.as_mut());
        match inside {
            Some(dataflow) => dataflow.outputs.push(UNCLEAR_OUTPUT),
            None if self.base.dataflow().is_some() => self.facts.outputs.push(UNCLEAR_OUTPUT),
            None => {}
        }
    }

    /// Records the `R.output` of the innermost dataflow block. Returns whether it had one before; `None` if the
    /// statement is not directly in the block.
    pub(in crate::infer) fn end_block(&mut self) -> Option<bool> {
        if let Some(scope) = self.scopes.last_mut() {
            let dataflow = scope.dataflow.as_mut()?;
            return Some(std::mem::replace(&mut dataflow.ended, true));
        }
        self.base.dataflow()?;
        let before = self.base.has_ended(&self.facts);
        self.facts.ended = true;
        Some(before)
    }

    pub(super) fn with_stmt(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        body: &[Stmt],
        range: TextRange,
    ) {
        let (header, dataflow) = self.with_header(items, range);
        let state = Dataflow {
            range: header,
            emitted: FxHashSet::default(),
            outputs: Vec::new(),
            ended: false,
        };
        self.scopes.push(Scope {
            dataflow: dataflow.then_some(state),
            ..Scope::default()
        });
        self.block(body);
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        if let Some(state) = scope.dataflow {
            self.end_dataflow(&state, scope.names);
        }
    }

    /// Infers the header of a `with`. Returns its range, and whether it begins a dataflow block.
    pub(in crate::infer) fn with_header(
        &mut self,
        items: &[(ExprId, Option<Target>)],
        range: TextRange,
    ) -> (TextRange, bool) {
        let mut dataflow = false;
        for (item, target) in items {
            let reported = self.facts.diagnostics.len();
            match self.expr(*item) {
                Value::Dataflow => dataflow = true,
                // A misspelt name is reported. It can only mean a dataflow block.
                Value::Unknown => dataflow |= self.facts.diagnostics.len() > reported,
                Value::Script(path)
                    if path.namespace == Namespace::Relax && path.rest == "dataflow" =>
                {
                    dataflow = true;
                    let at = self.range(*item);
                    self.unsupported(at, "`with` of a function (write `R.dataflow()`)");
                }
                _ => {
                    let at = self.range(*item);
                    self.unsupported(at, "`with` of anything but `R.dataflow()`");
                }
            }
            if target.is_some() {
                let at = self.range(*item);
                self.unsupported(at, "`as` in a `with`");
            }
        }
        if items.len() > 1 {
            self.unsupported(range, "a `with` of several items");
        }
        let header = items.first().map_or(range, |(item, _)| self.range(*item));
        if dataflow && self.in_dataflow() {
            self.unsupported(header, "a dataflow block in another");
        }
        (header, dataflow)
    }

    fn end_dataflow(&mut self, state: &Dataflow, names: FxHashMap<SmolStr, Local>) {
        let outputs = Outputs::of(&state.outputs);
        let given_out: FxHashSet<VarId> = state.outputs.iter().copied().collect();
        let gone = names.into_iter().filter_map(|(name, local)| match local {
            Local::Var(var) if !given_out.contains(&var) => Some((name, var)),
            _ => None,
        });
        if self.is_outermost() {
            self.base
                .end_own_block(gone, state.range, outputs, &mut self.facts);
        } else {
            let of_block = |(name, var)| (name, (var, state.range, outputs));
            self.frame().gone.extend(gone.map(of_block));
        }
        for &var in state.outputs.iter().filter(|var| **var != UNCLEAR_OUTPUT) {
            let name = self.var(var).name.clone();
            self.bind_local(name, Local::Var(var));
            if let Some(scope) = self.scopes.last_mut() {
                scope.last = Some(var);
            }
        }
        if outputs == Outputs::None && !state.ended && !state.emitted.is_empty() {
            self.report(Code::MissingOutput, state.range, MISSING_OUTPUT);
        }
    }
}
