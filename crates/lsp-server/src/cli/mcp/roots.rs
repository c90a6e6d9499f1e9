//! What a client may have read: files of TVMScript, and folders, in the folders that it shares.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use ide::Language;
use rmcp::RoleServer;
use rmcp::service::Peer;
use tokio::time::timeout;

use crate::sources;
use crate::uri;

/// The time that a client has to name its folders.
const PATIENCE: Duration = Duration::from_secs(10);

/// Folders, as the system names them.
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// Returns the folders that the command line names, or else those that the client shares, or else the working
    /// folder.
    pub async fn of(named: &[PathBuf], client: &Peer<RoleServer>) -> anyhow::Result<Roots> {
        let folders = if named.is_empty() {
            match shared(client).await {
                Some(folders) => folders,
                None => vec![std::env::current_dir()?],
            }
        } else {
            named.to_vec()
        };
        Ok(Roots::new(&folders))
    }

    fn new(folders: &[PathBuf]) -> Roots {
        let whole = folders.iter().filter_map(|it| it.canonicalize().ok());
        // Clients that have no working folder start their servers in the folder of all files.
        Roots(whole.filter(|it| it.parent().is_some()).collect())
    }

    /// Returns the path of a file or folder in these folders, without links.
    pub fn admit(&self, path: &Path) -> anyhow::Result<PathBuf> {
        let shown = path.display();
        let whole = if path.is_absolute() {
            path.canonicalize()
        } else {
            // A relative path belongs to the first folder that has it.
            let found = self.0.iter().map(|root| root.join(path).canonicalize());
            let mut found: Vec<_> = found.collect();
            let first = found.iter().position(Result::is_ok).unwrap_or(0);
            if found.is_empty() {
                bail!("`{shown}` cannot be read: there is no folder that may be read");
            }
            found.swap_remove(first)
        };
        let whole = whole.with_context(|| format!("cannot read `{shown}`"))?;
        if !self.0.iter().any(|root| whole.starts_with(root)) {
            let roots: Vec<String> = self.0.iter().map(|it| it.display().to_string()).collect();
            bail!(
                "`{shown}` is outside of what may be read: {}",
                if roots.is_empty() {
                    "nothing".to_owned()
                } else {
                    roots.join(", ")
                }
            );
        }
        Ok(whole)
    }

    /// Like `admit`, for a program or a folder of programs. The text of another file is not shown.
    pub fn admit_program(&self, path: &Path) -> anyhow::Result<PathBuf> {
        let whole = self.admit(path)?;
        let is_program = whole.is_dir()
            || sources::language(&whole) == Language::Relay
            || ide::contains_tvmscript(&sources::read(&whole)?);
        if !is_program {
            bail!("`{}` holds no TVMScript", path.display());
        }
        Ok(whole)
    }
}

/// Returns the client's folders, or `None` if it does not share any.
#[expect(deprecated, reason = "what clients know")]
async fn shared(client: &Peer<RoleServer>) -> Option<Vec<PathBuf>> {
    client.peer_info()?.capabilities.roots.as_ref()?;
    let asked = client.list_roots();
    let roots = timeout(PATIENCE, asked).await.ok()?.ok()?.roots;
    let path = |it: &rmcp::model::Root| uri::path(&it.uri.parse().ok()?);
    Some(roots.iter().filter_map(path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "from tvm.script import relax as R\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn only_programs_in_a_root_are_admitted() {
        let root = folder(&[("m.py", PROGRAM), ("secret.txt", "key\n")]);
        let other = folder(&[("m.py", PROGRAM)]);
        let roots = Roots::new(&[root.path().to_owned()]);
        let admitted = |path: &Path| roots.admit_program(path).map_err(|it| it.to_string());
        assert!(admitted(Path::new("m.py")).is_ok());
        assert!(admitted(&root.path().join("m.py")).is_ok());
        assert!(admitted(root.path()).is_ok());
        let said = |path: &Path| admitted(path).unwrap_err();
        assert!(said(Path::new("secret.txt")).contains("holds no TVMScript"));
        let name = other.path().file_name().unwrap();
        for path in [
            other.path().join("m.py"),
            root.path().join("..").join(name).join("m.py"),
            Path::new("..").join(name).join("m.py"),
        ] {
            assert!(
                said(&path).contains("outside of what may be read"),
                "{path:?}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_a_root_is_not_followed() {
        let (root, other) = (folder(&[]), folder(&[("m.py", PROGRAM)]));
        let link = root.path().join("link.py");
        std::os::unix::fs::symlink(other.path().join("m.py"), &link).unwrap();
        let roots = Roots::new(&[root.path().to_owned()]);
        assert!(roots.admit(&link).is_err());
    }

    #[test]
    fn the_folder_of_all_files_is_no_root() {
        let other = folder(&[("m.py", PROGRAM)]);
        let all = other.path().ancestors().last().unwrap().to_owned();
        assert!(
            Roots::new(&[all])
                .admit(&other.path().join("m.py"))
                .is_err()
        );
    }
}
