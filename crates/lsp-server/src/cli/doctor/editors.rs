//! Finds the editors on this machine that can use the server, and checks which of them do.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::Section;
use super::programs::on_path;

/// An editor: its name, its programs, and how to tell whether it uses the server.
struct Editor {
    name: &'static str,
    programs: &'static [&'static str],
    knows: Knows,
    /// The documentation page.
    page: &'static str,
}

enum Knows {
    /// A folder of extensions, relative to the user's folder.
    Extensions(&'static str),
    /// Files and folders of settings, relative to the user's folder. Settings that start the server contain its name.
    Settings(&'static [&'static str]),
}

const EXTENSION: &str = "relax-lsp.relax-lsp";
const SERVER: &str = "relax-lsp";

const EDITORS: &[Editor] = &[
    Editor {
        name: "VS Code",
        programs: &["code"],
        knows: Knows::Extensions(".vscode/extensions"),
        page: "editors/vscode/README.md",
    },
    Editor {
        name: "VS Code Insiders",
        programs: &["code-insiders"],
        knows: Knows::Extensions(".vscode-insiders/extensions"),
        page: "editors/vscode/README.md",
    },
    Editor {
        name: "VSCodium",
        programs: &["codium"],
        knows: Knows::Extensions(".vscode-oss/extensions"),
        page: "editors/vscode/README.md",
    },
    Editor {
        name: "Cursor",
        programs: &["cursor"],
        knows: Knows::Extensions(".cursor/extensions"),
        page: "editors/vscode/README.md",
    },
    Editor {
        name: "Neovim",
        programs: &["nvim"],
        knows: Knows::Settings(&[".config/nvim", "AppData/Local/nvim"]),
        page: "docs/editors/neovim.md",
    },
    Editor {
        name: "Vim",
        programs: &["vim"],
        knows: Knows::Settings(&[".vimrc", ".vim/vimrc", ".vim/after", "_vimrc"]),
        page: "docs/editors/vim.md",
    },
    Editor {
        name: "Emacs",
        programs: &["emacs"],
        knows: Knows::Settings(&[
            ".emacs",
            ".emacs.el",
            ".emacs.d/init.el",
            ".config/emacs/init.el",
        ]),
        page: "docs/editors/emacs.md",
    },
    Editor {
        name: "Helix",
        programs: &["hx", "helix"],
        knows: Knows::Settings(&[
            ".config/helix/languages.toml",
            "AppData/Roaming/helix/languages.toml",
        ]),
        page: "docs/editors/helix.md",
    },
    Editor {
        name: "Zed",
        programs: &["zed", "zeditor"],
        knows: Knows::Settings(&[
            ".config/zed/settings.json",
            "AppData/Roaming/Zed/settings.json",
        ]),
        page: "docs/editors/zed.md",
    },
    Editor {
        name: "Kate",
        programs: &["kate"],
        knows: Knows::Settings(&[".config/kate/lspclient/settings.json"]),
        page: "docs/editors/kate.md",
    },
    Editor {
        name: "PyCharm, IntelliJ IDEA",
        programs: &[
            "pycharm",
            "pycharm64",
            "pycharm-community",
            "idea",
            "idea64",
        ],
        knows: Knows::Settings(&[
            ".config/JetBrains",
            "AppData/Roaming/JetBrains",
            "Library/Application Support/JetBrains",
        ]),
        page: "docs/editors/intellij.md",
    },
];

pub fn installed_editors() -> Section {
    let home = env::home_dir().unwrap_or_default();
    let mut section = Section::new("editors");
    for editor in EDITORS {
        if !editor.programs.iter().any(|it| on_path(it).is_some()) {
            continue;
        }
        let state = match editor.knows {
            Knows::Extensions(folder) if has_extension(&home.join(folder)) => {
                "has the extension".to_owned()
            }
            Knows::Extensions(_) => format!("without the extension: {}", editor.page),
            Knows::Settings(places)
                if places.iter().any(|it| names_server(&home.join(it), DEPTH)) =>
            {
                "its settings name relax-lsp".to_owned()
            }
            Knows::Settings(_) => format!("no setting names relax-lsp: {}", editor.page),
        };
        section.row(editor.name, state);
    }
    if section.rows.is_empty() {
        section.row("on the PATH", "none of the known editors");
    }
    section
}

fn has_extension(folder: &Path) -> bool {
    children(folder).any(|it| {
        let name = it.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(EXTENSION.as_bytes())
    })
}

/// The maximum depth of settings folders that are searched.
const DEPTH: u32 = 3;
/// Larger files are not settings.
const LARGEST: u64 = 1 << 20;

fn names_server(path: &Path, depth: u32) -> bool {
    let Ok(meta) = path.metadata() else {
        return false;
    };
    if meta.is_dir() {
        return depth > 0 && children(path).any(|it| names_server(&it, depth - 1));
    }
    meta.len() <= LARGEST && fs::read_to_string(path).is_ok_and(|it| it.contains(SERVER))
}

fn children(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|it| it.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_each_editor_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for editor in EDITORS {
            assert!(root.join(editor.page).is_file(), "{}", editor.page);
        }
    }
}
