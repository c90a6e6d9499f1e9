//! `relax-lsp origin`: where the bindings of a recorded module came from, and which bindings came from a line.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde_json::json;

use super::output::{self, Format, Output};
use super::target::Target;
use crate::compilation::recording::origins::{Origins, OriginsByLine, Traced};
use crate::compilation::recording::{Recording, shown_path};
use crate::line_index::LineColumns;

#[derive(Args)]
pub struct OriginCommand {
    /// A folder that `relax-lsp record` wrote, or one of its modules, as DIR/005_FuseOps.py
    recording: PathBuf,
    /// A binding, a line of the program (FILE:LINE), a module of the model or a node of the imported graph; by default
    /// all bindings
    #[arg(value_name = "BINDING | FILE:LINE")]
    what: Option<String>,
    /// How to print the origins
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    target: Target,
}

pub fn execute(command: &OriginCommand) -> anyhow::Result<ExitCode> {
    let (recording, label) = open(&command.recording)?;
    let origins = Origins::read(&recording, label.as_deref(), &command.target.files())?;
    let mut bindings = origins.bindings();
    let calls = bindings.iter().filter(|it| it.is_call);
    let (known, total) = calls.fold((0, 0), |(known, total), it| {
        (known + usize::from(!it.origins.is_empty()), total + 1)
    });
    if let Some(what) = &command.what {
        let wanted = AskedOrigin::new(what);
        bindings.retain(|it| wanted.fits(it, &recording.folder));
        if bindings.is_empty() {
            bail!(
                "nothing in `{}` is or comes from `{what}`",
                origins.known.path.display()
            );
        }
    }
    let lines = LineColumns::new(&origins.known.snapshot.text);
    let line = |it: &Traced<'_>| lines.line_col(it.offset.into()).0;
    output::print(&match command.format {
        Format::Text => {
            let path = origins.known.path.display();
            let mut text = String::new();
            if command.what.is_none() {
                let _ = writeln!(
                    text,
                    "{path}: {known} of {total} calls know where they came from\n"
                );
            }
            text.push_str(&table(&bindings, &line, &recording.folder));
            Output::Text(text)
        }
        Format::Json => {
            let all = bindings.iter().map(|it| {
                json!({
                    "function": it.function, "name": it.name, "line": line(it), "call": it.is_call,
                    "origins": it.origins,
                })
            });
            Output::Json(json!({
                "file": origins.known.path.display().to_string().replace('\\', "/"),
                "calls": total,
                "known": known,
                "bindings": all.collect::<Vec<_>>(),
            }))
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the recording that a path names, and the module in it.
pub fn open(path: &Path) -> anyhow::Result<(Recording, Option<String>)> {
    if let Some(recording) = Recording::open(path)? {
        return Ok((recording, None));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let label = path.file_stem().unwrap_or_default().to_string_lossy();
    match Recording::open(folder)? {
        Some(recording) if recording.module(&label).is_some() => {
            Ok((recording, Some(label.into_owned())))
        }
        _ => bail!(
            "`{}` is not a recording: `relax-lsp record` writes them",
            path.display()
        ),
    }
}

/// What the user asks for.
struct AskedOrigin<'w> {
    name: &'w str,
    /// The file and the line.
    place: Option<(PathBuf, u32)>,
}

impl AskedOrigin<'_> {
    fn new(what: &str) -> AskedOrigin<'_> {
        let place = what
            .rsplit_once(':')
            .and_then(|(file, line)| Some((std::path::absolute(file).ok()?, line.parse().ok()?)));
        AskedOrigin { name: what, place }
    }

    fn fits(&self, binding: &Traced<'_>, folder: &Path) -> bool {
        if binding.name == self.name {
            return true;
        }
        binding.origins.iter().any(|origin| {
            let of_node = origin.node().is_some_and(|(name, _)| name == self.name);
            let of_module = origin.module.as_deref() == Some(self.name);
            let of_line = self.place.as_ref().is_some_and(|(file, line)| {
                let mut frames = origin.frames.iter();
                frames.any(|(path, at, _)| at == line && is_same(&folder.join(path), file))
            });
            of_node || of_module || of_line
        })
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// The origins that are shown for a binding. A fused call can have dozens.
const SHOWN: usize = 6;

fn table(bindings: &[Traced<'_>], line: &dyn Fn(&Traced<'_>) -> u32, folder: &Path) -> String {
    let mut text = String::new();
    let mut function = "";
    let widest = bindings.iter().map(|it| it.name.chars().count()).max();
    let width = widest.unwrap_or(0).min(32);
    for it in bindings {
        if it.function != function {
            function = it.function;
            let _ = writeln!(text, "{function}");
        }
        let from: Vec<String> = it.origins.iter().map(|it| it.brief(folder)).collect();
        let mut places: Vec<String> = Vec::new();
        for place in from {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let more = places.len().saturating_sub(SHOWN);
        places.truncate(SHOWN);
        let mut places = places.join("; ");
        if more > 0 {
            let _ = write!(places, "; and {more} more");
        }
        if places.is_empty() {
            places.push('-');
        }
        let _ = writeln!(text, "{:>6}  {:width$}  {places}", line(it), it.name);
    }
    text
}

/// What the bindings of a recorded module are added up by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The module of the model
    Module,
    /// The line of the program
    Line,
}

impl By {
    /// Returns the module or the line that the binding of a line came from.
    pub fn name(self, origins: &OriginsByLine, line: u32) -> String {
        match (origins.of_line(line).first(), self) {
            (None, _) => "(unknown)".to_owned(),
            (Some(origin), By::Module) => match origin.module.as_deref() {
                None | Some("") => "(the model itself)".to_owned(),
                Some(module) => module.to_owned(),
            },
            (Some(origin), By::Line) => origin.frames.first().map_or_else(String::new, |it| {
                format!("{}:{}", shown_path(&origins.folder, &it.0), it.1)
            }),
        }
    }
}
