//! The extension of Zed: finds the server, and hands it the user's settings. Knows nothing of Relax.

use std::fs;

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    self as zed, Architecture, Command, DownloadedFileType, LanguageServerId,
    LanguageServerInstallationStatus as Status, Os, Result, Worktree, serde_json::Value,
};

const SERVER: &str = "relax-lsp";
const REPOSITORY: &str = "OWNER/relax-lsp";

struct Relax;

impl zed::Extension for Relax {
    fn new() -> Self {
        Self
    }

    /// The program that the settings name, the one on the path of the worktree, or that of the last release.
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree).unwrap_or_default();
        let binary = settings.binary;
        let arguments = binary.as_ref().and_then(|it| it.arguments.clone());
        let path = binary.and_then(|it| it.path);
        let command = match path.or_else(|| worktree.which(SERVER)) {
            Some(path) => path,
            None => released(id)?,
        };
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

/// The program of the last release, downloaded once.
fn released(id: &LanguageServerId) -> Result<String> {
    zed::set_language_server_installation_status(id, &Status::CheckingForUpdate);
    let options = zed::GithubReleaseOptions {
        require_assets: true,
        pre_release: false,
    };
    let release = zed::latest_github_release(REPOSITORY, options)?;
    let (target, program) = target()?;
    let archive = format!("{SERVER}-{target}.tar.gz");
    let asset = release.assets.iter().find(|asset| asset.name == archive);
    let asset = asset.ok_or_else(|| format!("release {} has no {archive}", release.version))?;
    let folder = format!("{SERVER}-{}", release.version);
    let path = format!("{folder}/{SERVER}-{target}/{program}");
    if !fs::metadata(&path).is_ok_and(|file| file.is_file()) {
        zed::set_language_server_installation_status(id, &Status::Downloading);
        zed::download_file(&asset.download_url, &folder, DownloadedFileType::GzipTar)?;
        zed::make_file_executable(&path)?;
    }
    Ok(path)
}

/// The name that releases give this platform, and that of the program there.
fn target() -> Result<(&'static str, &'static str)> {
    match zed::current_platform() {
        (Os::Linux, Architecture::X8664) => Ok(("x86_64-unknown-linux-musl", SERVER)),
        (Os::Linux, Architecture::Aarch64) => Ok(("aarch64-unknown-linux-musl", SERVER)),
        (Os::Mac, Architecture::Aarch64) => Ok(("aarch64-apple-darwin", SERVER)),
        (Os::Mac, Architecture::X8664) => Ok(("x86_64-apple-darwin", SERVER)),
        (Os::Windows, Architecture::X8664) => Ok(("x86_64-pc-windows-msvc", "relax-lsp.exe")),
        _ => Err("relax-lsp is not released for this platform: build it, and name it in the settings".into()),
    }
}

zed::register_extension!(Relax);
