//! `--tvm RELEASE`: the release of TVM that files are written for.

use clap::Args;
use relax::Release;

#[derive(Args)]
pub struct Target {
    /// The release of TVM that the files are written for: rfc, unity, 0.16 to the newest. Found out for each file if absent
    #[arg(long = "tvm", value_name = "RELEASE", value_parser = release)]
    pub release: Option<Release>,
}

impl Target {
    pub fn config(&self) -> ide::Config {
        ide::Config {
            target: self.release,
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
