//! The compiled program of a job: the requested function, and everything it reaches.

use ide::{Analysis, Config, Language};
use relax::release::Release;
use smol_str::SmolStr;
use vm::Program;

use super::execute::{cannot_compile, refused};
use super::job::Job;
use super::outcome::Failure;
use super::select;

pub struct Compiled {
    pub program: Program,
    /// The name of the function in the program.
    pub entry: SmolStr,
    /// The name of the function in outputs.
    pub shown: String,
}

/// Compiles the job's function, and the functions `others` that its inputs may call. `packed` are functions that the
/// run implements.
pub fn compile(job: &Job, others: &[String], packed: &[String]) -> Result<Compiled, Failure> {
    let target = job.target.as_deref().and_then(Release::from_name);
    let language = if job.relay {
        Language::Relay
    } else {
        Language::Python
    };
    // Compiling needs the types of all expressions.
    let (analysis, file) = Analysis::from_whole_file_in(language, &*job.text, Config { target });
    let (db, source) = analysis.hir(file).expect("the file was just added");
    if let Some(relay) = hir::relay_file(db, source) {
        let text = &source.source(db).text;
        let entry = select::relay_function(relay, text, &job.function, job.line);
        let entry = entry.map_err(refused)?;
        let program =
            vm::lower::relay::compile(relay, &entry).map_err(|errors| cannot_compile(&errors))?;
        return Ok(Compiled {
            program,
            shown: entry.to_string(),
            entry,
        });
    }
    let function = select::function(db, source, &job.function, job.line).map_err(refused)?;
    let mut entries = vec![function];
    for name in others {
        entries.push(select::function(db, source, name, None).map_err(refused)?);
    }
    let program =
        vm::compile_all(db, &entries, packed).map_err(|errors| cannot_compile(&errors))?;
    Ok(Compiled {
        program,
        entry: function.name(db),
        shown: select::full_name(db, function),
    })
}
