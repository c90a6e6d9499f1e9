//! The functions that can be run, and the dimensions that the user has to choose.

use hir::{Database, SourceFile, file_items, file_release, function_signature};
use relax::FunctionKind;
use rustc_hash::FxHashSet;

use crate::analysis::{Analysis, Cancellable};
use crate::relay;
use crate::semantics::{module_of, name_range};
use crate::types::{FileId, Runnable, RunnableKind, RunnableParam};

/// The maximum number of parameters listed for one function. A printed model has thousands, too many for a form; the
/// others get default values.
pub(crate) const MAX_PARAMS: usize = 256;

impl Analysis {
    /// Returns the functions that can be run.
    pub fn runnables(&self, file: FileId) -> Cancellable<Vec<Runnable>> {
        self.with_file(file, runnables)
    }
}

fn runnables(db: &Database, file: SourceFile) -> Vec<Runnable> {
    if let Some(relay) = hir::relay_file(db, file) {
        return relay::runnables::runnables(relay);
    }
    let items = file_items(db, file);
    let release = file_release(db, file);
    let runnable = |&function: &hir::FunctionItem<'_>| {
        let kind = match function.kind(db) {
            FunctionKind::Relax => RunnableKind::Function,
            FunctionKind::PrimFunc => RunnableKind::PrimFunc,
            FunctionKind::Macro | FunctionKind::Python => return None,
        };
        let name = function.name(db);
        let module = module_of(db, function);
        let mut dims: Vec<String> = Vec::new();
        let mut known = FxHashSet::default();
        let signature = function_signature(db, function);
        for param in signature.params.iter() {
            param.for_each_sym_var(&mut |var| {
                if !var.is_python() && known.insert(var.name.clone()) {
                    dims.push(var.name.to_string());
                }
            });
        }
        let def = function.source(db).def()?;
        let names = def.params().into_iter().flat_map(|list| list.params());
        let params = names
            .zip(signature.params.iter())
            .take(MAX_PARAMS)
            .filter_map(|(param, struct_info)| {
                Some(RunnableParam {
                    name: param.name()?.text().to_owned(),
                    struct_info: struct_info.display(release.dialect()).to_string(),
                })
            });
        Some(Runnable {
            function: match module {
                Some(module) => format!("{}.{name}", module.name(db)),
                None => name.to_string(),
            },
            kind,
            name_range: name_range(db, function)?,
            dims,
            params: params.collect(),
        })
    };
    items.functions.iter().filter_map(runnable).collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[test]
    fn a_long_signature_shows_its_first_parameters() {
        let params: Vec<String> = (0..3000).map(|k| format!("w{k}: R.Object")).collect();
        let fixture = Fixture::new(&format!(
            "from tvm.script import relax as R\n\n@R.function\ndef f({}):\n    return w0\n",
            params.join(", ")
        ));
        let found = fixture.analysis.runnables(fixture.file).unwrap();
        assert_eq!(found[0].params.len(), super::MAX_PARAMS);
        assert_eq!(found[0].params[255].name, "w255");
    }
}
