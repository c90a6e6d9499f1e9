//! `--tvm RELEASE`: the release of TVM that files are written for. Without it, the project or each file determines it.

use std::path::Path;

use clap::Args;
use ide::{Analysis, Config, Text, visible};
use relax::Release;
use relax::release::Releases;

use crate::compilation::files::Files;
use crate::targets::Targets;

#[derive(Args, Clone, Copy)]
pub struct Target {
    /// The release of TVM that files are written for: rfc, unity, 0.16 to the newest. By default the project's release
    /// (its settings, a pin of apache-tvm, the apache-tvm of its Python environment), or else detected from each file
    #[arg(long = "tvm", value_name = "RELEASE", value_parser = release)]
    pub release: Option<Release>,
}

impl Target {
    /// Returns the target of a file.
    pub fn target(self, file: &Path, targets: &Targets) -> Option<Release> {
        let of_project = || targets.of_file(file).map(|it| it.release);
        self.release.or_else(of_project)
    }

    /// Returns the files that a command reads.
    pub fn files(self) -> Files {
        Files::on_disk(self.release)
    }

    pub fn config(self, file: &Path, targets: &Targets) -> Config {
        let target = self.target(file, targets);
        Config { target }
    }

    /// Returns a line that says which release a file is read as, and why.
    pub fn explanation(self, file: &Path, text: Text, targets: &Targets) -> String {
        let why = match (self.release, targets.of_file(file)) {
            (Some(release), _) => format!("{}, by --tvm", release.title()),
            (None, Some(target)) => format!("{}, by {}", target.release.title(), target.origin),
            (None, None) => {
                let (analysis, file) = Analysis::from_single_file(text, Config::default());
                let releases = analysis
                    .hir(file)
                    .map(|(db, file)| hir::file_releases(db, file));
                format!(
                    "{}, by what it uses",
                    interval(releases.unwrap_or(Releases::ALL))
                )
            }
        };
        let file = file.display().to_string();
        format!("{}: {why}", visible::line(&file))
    }
}

/// Formats an interval of releases.
fn interval(releases: Releases) -> String {
    let (since, until) = (releases.since, releases.until);
    if since == until {
        until.title().to_owned()
    } else if releases == Releases::ALL {
        "any release".to_owned()
    } else {
        format!("{} to {}", since.title(), until.title())
    }
}

fn release(text: &str) -> Result<Release, String> {
    // A patch of a release is read as the release.
    let mut parts = text.split('.');
    let minor: Vec<&str> = parts.by_ref().take(2).collect();
    let named = Release::from_name(text).or_else(|| Release::from_name(&minor.join(".")));
    named.ok_or_else(|| {
        let names = Release::ALL.map(Release::name).join(", ");
        format!("unknown release: expected one of {names}")
    })
}
