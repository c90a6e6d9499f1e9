//! `workspace/didChangeWorkspaceFolders` and `workspace/didChangeWatchedFiles`.

use lsp_types::{
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, OneOf, ServerCapabilities,
    WorkspaceFolder, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use crate::capabilities::Client;
use crate::session::Event;
use crate::uri;

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    capabilities.workspace = Some(WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: None,
    });
}

pub fn folders(params: DidChangeWorkspaceFoldersParams) -> Event {
    let paths = |folders: &[WorkspaceFolder]| {
        let paths = folders.iter().filter_map(|it| uri::path(&it.uri));
        paths.collect()
    };
    Event::Folders {
        added: paths(&params.event.added),
        removed: paths(&params.event.removed),
    }
}

pub fn files(params: DidChangeWatchedFilesParams) -> Event {
    let paths = params.changes.iter();
    Event::FilesChanged(paths.filter_map(|it| uri::path(&it.uri)).collect())
}
