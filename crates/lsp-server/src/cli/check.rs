//! `relax-lsp check`: the diagnostics of files and directories.

mod baseline;
mod cache;
mod fix;
mod statistics;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};
use ide::{Analysis, Diagnostic, FileId, Severity};

use super::colour::Colour;
use super::output::{self, Output, complain};
use super::progress;
use super::report::{self, FileReport};
use super::target::Target;
use crate::config::project::Projects;
use crate::exit::{COULD_NOT_RUN, PROBLEMS_FOUND};
use crate::run::constants::ConstantTypes;
use crate::sources::{self, Source};
use crate::targets::Targets;
use baseline::Baseline;
use cache::Cache;
use watch::Watch;

#[derive(Args)]
pub struct Check {
    /// Files, or directories searched for Python files that contain TVMScript and for Relay files
    #[arg(
        default_value = ".",
        default_value_if("files_from", ArgPredicate::IsPresent, None)
    )]
    paths: Vec<PathBuf>,
    /// Also check the files listed in FILE, one per line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// How to print the diagnostics
    #[arg(long, visible_alias = "output-format", value_enum, default_value_t)]
    format: Format,
    /// Print how often each code was reported instead of the diagnostics
    #[arg(long)]
    statistics: bool,
    /// Check again whenever a file changes, until interrupted
    #[arg(long, conflicts_with_all = ["files_from", "write", "diff", "write_baseline"])]
    watch: bool,
    /// Cache the diagnostics of each text in DIR; safe to delete, and to share between your machines
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Also report operators that a build would not lower
    #[arg(long)]
    build: bool,
    /// When to color the output
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: Colour,
    /// Exit with 0 even if errors were found
    #[arg(long)]
    exit_zero: bool,
    #[command(flatten)]
    baseline: BaselineFiles,
    #[command(flatten)]
    fix: fix::Fix,
    #[command(flatten)]
    target: Target,
    /// Print the release of TVM that each file is read as, and the evidence, to standard error
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Args)]
#[group(multiple = false)]
struct BaselineFiles {
    /// Report only diagnostics that FILE does not list
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// List all diagnostics in FILE, for `--baseline`, and exit with 0
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Readable text
    #[default]
    Text,
    /// One array with an object for each file
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// Workflow commands that GitHub shows next to the code
    Github,
    /// GitLab Code Quality report
    Gitlab,
    /// JUnit XML, for services that show test results
    Junit,
}

pub fn execute(command: &Check) -> anyhow::Result<ExitCode> {
    if !command.watch {
        return check_once(command);
    }
    // Start watching before the first check, so that changes during the check are seen.
    let mut watch = Watch::start(&command.paths)?;
    loop {
        if let Err(error) = check_once(command) {
            complain(&error);
        }
        if !watch.wait() {
            return Ok(ExitCode::SUCCESS);
        }
        output::clear()?;
    }
}

fn check_once(command: &Check) -> anyhow::Result<ExitCode> {
    let (projects, targets) = (Projects::new(), Targets::of_process());
    let mut sources = sources::collect(&command.paths, &projects)?;
    if let Some(list) = &command.files_from {
        sources.extend(sources::listed(list)?);
    }
    let baseline = command.baseline.baseline.as_deref();
    let baseline = baseline.map(Baseline::read).transpose()?;
    let mut unfixed = false;
    if command.fix.is_wanted() {
        let fixed = {
            let config = |file: &Path| {
                projects.of_file(file)?;
                Ok(command.target.config(file, &targets))
            };
            fix::execute(&command.fix, &sources, &config)?
        };
        if command.fix.diff {
            return Ok(fixed.code);
        }
        unfixed = fixed.failed;
    }
    let cache = command.cache_dir.as_deref().map(Cache::open).transpose()?;
    let places = Places {
        projects,
        targets,
        cache,
        constants: ConstantTypes::default(),
    };
    progress::begin("Checking files");
    let results = sources::map(&sources, |it| {
        let result = check(it, command, &places);
        progress::advance(sources.len());
        result
    })?;
    progress::end();
    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(report) => reports.extend(report),
            Err(failure) => failures.push(failure),
        }
    }
    for failure in &failures {
        complain(failure);
    }
    if let Some(path) = &command.baseline.write_baseline {
        Baseline::of(&reports, path).write(path)?;
        return Ok(exit_code(command, &[], &failures));
    }
    if let Some(baseline) = baseline {
        baseline.leave_new(&mut reports);
    }
    output::print(&rendered(command, &reports))?;
    if unfixed {
        return Ok(ExitCode::from(COULD_NOT_RUN));
    }
    Ok(exit_code(command, &reports, &failures))
}

fn rendered(command: &Check, reports: &[FileReport]) -> Output {
    if command.statistics {
        return statistics::render(reports, command.format == Format::Json);
    }
    match command.format {
        Format::Text => Output::Coloured(report::text::render(reports, command.color.is_wanted())),
        Format::Json => Output::Json(report::json::render(reports)),
        Format::Sarif => Output::Json(report::sarif::render(reports)),
        Format::Github => Output::GitHub(report::github::render(reports)),
        Format::Gitlab => Output::Json(report::gitlab::render(reports)),
        Format::Junit => Output::Xml(report::junit::render(reports)),
    }
}

fn exit_code(command: &Check, reports: &[FileReport], failures: &[anyhow::Error]) -> ExitCode {
    let mut found = reports.iter().flat_map(|report| &report.diagnostics);
    if !failures.is_empty() {
        ExitCode::from(COULD_NOT_RUN)
    } else if !command.exit_zero && found.any(|it| it.severity == Severity::Error) {
        ExitCode::from(PROBLEMS_FOUND)
    } else {
        ExitCode::SUCCESS
    }
}

/// State that is shared between the checks of files.
struct Places {
    projects: Projects,
    targets: Targets,
    cache: Option<Cache>,
    constants: ConstantTypes,
}

/// Checks a file. A Python file that was found in a directory is only checked if it contains TVMScript. Files are
/// independent, so each has its own database.
fn check(source: &Source, command: &Check, places: &Places) -> anyhow::Result<Option<FileReport>> {
    let Places {
        projects,
        targets,
        cache,
        constants,
    } = places;
    let config = &projects.of_file(&source.path)?.config;
    let text = sources::read(&source.path)?;
    let language = sources::language(&source.path);
    if !sources::is_read(source, &text) {
        return Ok(None);
    }
    if command.verbose {
        let why = command.target;
        let why = why.explanation(&source.path, text.clone(), targets);
        let _ = output::warn(format!("{why}\n"));
    }
    let release = command.target.config(&source.path, targets);
    let constants = constants.of_file(&source.path);
    let analysis = |is_whole: bool| match &constants {
        Some(it) => Analysis::from_file_with_constants(text.clone(), release, it.clone()),
        None if is_whole => Analysis::from_whole_file_in(language, text.clone(), release),
        None => Analysis::from_file_in(language, text.clone(), release),
    };
    let find = || diagnostics(analysis(false));
    let mut diagnostics = match cache {
        // The name of an entry says nothing of other files.
        Some(cache) if constants.is_none() => cache.diagnostics(&text, language, release, find),
        _ => find(),
    };
    if command.build {
        diagnostics.extend(unlowered(analysis(true)));
        diagnostics.sort_by_key(|it| it.range.start());
    }
    config.severities.apply(&mut diagnostics);
    // A hint is for editors, which gray something out; it is not a problem to report.
    diagnostics.retain(|it| it.severity != Severity::Hint);
    Ok(Some(FileReport::new(
        source.path.clone(),
        text,
        diagnostics,
    )))
}

fn diagnostics((analysis, file): (Analysis, FileId)) -> Vec<Diagnostic> {
    analysis
        .diagnostics(file)
        .expect("nothing changes the file meanwhile")
}

fn unlowered((analysis, file): (Analysis, FileId)) -> Vec<Diagnostic> {
    let found = analysis.unlowered(file);
    found.expect("nothing changes the file meanwhile")
}
