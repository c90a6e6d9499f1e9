//! The compiled program of a job: the requested functions, and everything they reach.

use hir::RelayFile;
use ide::{Analysis, Config, Language};
use relax::dtype::DType;
use relax::release::Release;
use rustc_hash::FxHashMap;
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

/// The compiled functions that a script calls.
pub struct CompiledCalls {
    pub program: Program,
    /// The functions in the program, by the names that the script has for them.
    pub functions: FxHashMap<String, SmolStr>,
    /// The constructors of a Relay text.
    pub constructors: Option<Constructors>,
}

/// The fields of constructors: the dtypes of those that are scalars of one dtype.
pub type Constructors = FxHashMap<SmolStr, Vec<Option<DType>>>;

/// Compiles the job's function, and the functions `others` that its inputs may call. `packed` are functions that the
/// run implements.
pub fn compile(job: &Job, others: &[String], packed: &[String]) -> Result<Compiled, Failure> {
    let (analysis, file) = analysed(job);
    let (db, source) = analysis.hir(file).expect("the file was just added");
    if let Some(relay) = hir::relay_file(db, source) {
        let text = &source.source(db).text;
        let entry = select::relay_function(relay, text, &job.function, job.line);
        let entry = entry.map_err(refused)?;
        return Ok(Compiled {
            program: compile_relay(relay, std::slice::from_ref(&entry), &job.text)?,
            shown: entry.to_string(),
            entry,
        });
    }
    let function = select::function(db, source, &job.function, job.line).map_err(refused)?;
    let mut entries = vec![function];
    for name in others {
        entries.push(select::function(db, source, name, None).map_err(refused)?);
    }
    let constants = job.constants().map_err(refused)?;
    let program = vm::compile_all(db, &entries, packed, constants);
    Ok(Compiled {
        program: program.map_err(|errors| cannot_compile(&job.text, &errors))?,
        entry: vm::entry_name(db, function),
        shown: select::full_name(db, function),
    })
}

/// Compiles the functions of these names. `packed` are functions that the run implements.
pub fn compile_calls(
    job: &Job,
    called: &[&str],
    packed: &[String],
) -> Result<CompiledCalls, Failure> {
    let (analysis, file) = analysed(job);
    let (db, source) = analysis.hir(file).expect("the file was just added");
    let mut functions = FxHashMap::default();
    if let Some(relay) = hir::relay_file(db, source) {
        for name in called {
            let text = &source.source(db).text;
            let function = select::relay_function(relay, text, name, None).map_err(refused)?;
            functions.insert((*name).to_owned(), function);
        }
        let entries: Vec<SmolStr> = functions.values().cloned().collect();
        return Ok(CompiledCalls {
            program: compile_relay(relay, &entries, &job.text)?,
            functions,
            constructors: Some(constructors(relay)),
        });
    }
    let mut entries = Vec::new();
    for name in called {
        let function = select::function(db, source, name, None).map_err(refused)?;
        if functions
            .insert((*name).to_owned(), vm::entry_name(db, function))
            .is_none()
        {
            entries.push(function);
        }
    }
    let constants = job.constants().map_err(refused)?;
    let program = vm::compile_all(db, &entries, packed, constants);
    Ok(CompiledCalls {
        program: program.map_err(|errors| cannot_compile(&job.text, &errors))?,
        functions,
        constructors: None,
    })
}

/// The analysis of the job's text. Compiling needs the types of all expressions.
fn analysed(job: &Job) -> (Analysis, ide::FileId) {
    let target = job.target.as_deref().and_then(Release::from_name);
    let language = if job.relay {
        Language::Relay
    } else {
        Language::Python
    };
    Analysis::from_whole_file_in(language, &*job.text, Config { target })
}

fn compile_relay(file: &RelayFile, entries: &[SmolStr], text: &str) -> Result<Program, Failure> {
    vm::lower::relay::compile(file, entries).map_err(|errors| cannot_compile(text, &errors))
}

fn constructors(file: &RelayFile) -> Constructors {
    let env = &file.facts.env;
    let fields = |name: &SmolStr| {
        let fields = env.constructor(name).map(|it| &it.fields[..]);
        let scalars = fields.unwrap_or_default().iter().map(|it| {
            let scalar = it.as_tensor().filter(|it| it.rank() == 0);
            scalar.map(|it| it.dtype)
        });
        (name.clone(), scalars.collect())
    };
    env.constructor_names().map(fields).collect()
}
