//! The memory plan of a function over its bindings: which tensors share a storage, and how long each lives.

use hir::form::{PlacedForm, Row, RowKind};

use crate::difference::Snapshot;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryPlan {
    pub function: String,
    /// How many bindings the function has.
    pub steps: usize,
    pub storages: Vec<Storage>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    pub name: String,
    /// As it is written.
    pub bytes: String,
    pub tensors: Vec<Life>,
}

/// A tensor from the binding that makes it to the last that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    pub name: String,
    pub from: usize,
    pub to: usize,
}

impl Snapshot {
    /// The plans of the functions that allocate storages.
    pub fn memory_plans(&self) -> Vec<MemoryPlan> {
        let functions = self.form.functions.iter();
        functions
            .map(|it| plan(it, &self.text))
            .filter(|it| !it.storages.is_empty())
            .collect()
    }
}

fn plan(form: &PlacedForm, text: &str) -> MemoryPlan {
    let mut steps = 0;
    // Of each row: its step, the tensor that it holds, and the storage of that.
    let mut step_of = vec![0; form.rows.len()];
    let mut tensor_of: Vec<Option<(usize, usize)>> = vec![None; form.rows.len()];
    let mut storage_of: Vec<Option<usize>> = vec![None; form.rows.len()];
    let mut storages: Vec<Storage> = Vec::new();
    for (at, row) in form.rows.iter().enumerate() {
        if row.kind == RowKind::Binding {
            steps += 1;
        }
        step_of[at] = steps;
        let operands: Vec<usize> = form.operands(at as u32).map(|it| it as usize).collect();
        for operand in &operands {
            if let Some((storage, tensor)) = tensor_of[*operand] {
                storages[storage].tensors[tensor].to = steps;
            }
        }
        if is_op(row, ".alloc_storage") {
            storage_of[at] = Some(storages.len());
            storages.push(Storage {
                name: row.name.to_string(),
                bytes: size(&text[form.row_range(at as u32)]),
                tensors: Vec::new(),
            });
        } else if is_op(row, ".alloc_tensor") {
            let mut of_storage = operands.iter().filter_map(|it| storage_of[*it]);
            if let Some(storage) = of_storage.next() {
                let tensors = &mut storages[storage].tensors;
                tensor_of[at] = Some((storage, tensors.len()));
                tensors.push(Life {
                    name: row.name.to_string(),
                    from: steps,
                    to: steps,
                });
            }
        } else if let ([only], None, None) = (operands.as_slice(), row.op, &row.callee) {
            // Another name of it.
            tensor_of[at] = tensor_of[*only];
        }
    }
    MemoryPlan {
        function: form.name.to_string(),
        steps,
        storages,
    }
}

fn is_op(row: &Row, ending: &str) -> bool {
    row.op.is_some_and(|it| it.name.ends_with(ending))
}

/// The size in `R.memory.alloc_storage(R.shape([n * 4]), ...)`.
fn size(allocation: &str) -> String {
    let after = allocation.split_once("R.shape([").map(|it| it.1);
    let size = after.and_then(|it| it.split_once(']')).map(|it| it.0);
    size.unwrap_or_default().to_owned()
}
