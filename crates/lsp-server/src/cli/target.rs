//! `--tvm RELEASE`: the release of TVM that files are written for.

use clap::Args;
use relax::Release;

use crate::config::Config;

#[derive(Args)]
pub struct Target {
    /// The release of TVM that the files are written for: rfc, unity, 0.16 to the newest. Without it, the release of the project's settings, else found out for each file
    #[arg(long = "tvm", value_name = "RELEASE", value_parser = release)]
    pub release: Option<Release>,
}

impl Target {
    /// The release of the command line, else the one of the project.
    pub fn config(&self, project: &Config) -> ide::Config {
        ide::Config {
            target: self.release.or(project.target),
        }
    }
}

fn release(text: &str) -> Result<Release, String> {
    let named = Release::from_name(text).or_else(|| Release::from_version(text));
    named.ok_or_else(|| {
        let names = Release::ALL.map(Release::name).join(", ");
        format!("no release that is known here: one of {names}")
    })
}
