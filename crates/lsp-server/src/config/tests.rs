//! Tests of the settings table: its values, its page, and the declarations of the VS Code extension.

use std::fmt::Write;

use expect_test::expect_file;
use relax::Code;
use relax::release::Release;
use serde_json::{Map, Value, json};

use super::project::{EXCLUDE, INCLUDE, SHARED};
use super::settings::{Kind, SETTINGS, Setting};
use super::severities::LEVELS;
use super::*;

#[test]
fn every_default_is_a_value_its_setting_accepts() {
    for setting in SETTINGS {
        assert_eq!(
            setting.check(&setting.default()),
            Ok(()),
            "{}",
            setting.name
        );
    }
}

#[test]
fn missing_settings_take_defaults() {
    let (config, problems) = Config::read(&Value::Null);
    assert_eq!((config, problems), (Config::default(), vec![]));
    assert!(Config::default().inlay_hints.enable && Config::default().run.default_dim > 0);
}

#[test]
fn settings_may_be_nested_or_dotted_or_lack_the_first_part() {
    for value in [
        json!({"relax": {"run": {"seed": 7}}}),
        json!({"run": {"seed": 7}}),
        json!({"relax.run.seed": 7}),
        json!({"relax": {"run.seed": 7}}),
        json!({"run.seed": 7}),
    ] {
        assert_eq!(Config::read(&value).0.run.seed, 7, "{value}");
    }
}

#[test]
fn the_release_setting_is_a_known_release_or_auto() {
    let read = |name: &str| Config::read(&json!({"tvm": name})).0.target;
    assert_eq!(read("rfc"), Some(Release::Rfc));
    assert_eq!(read("0.25"), Some(Release::V0_25));
    assert_eq!(read("auto"), None);
}

#[test]
fn a_value_that_cannot_be_used_is_named_and_the_rest_is_read() {
    let (config, problems) = Config::read(&json!({
        "tvm": "relay", "run": {"defaultDim": 0, "seed": 3}, "codeLens": {"enable": "yes"},
    }));
    assert_eq!(config.run.seed, 3);
    assert_eq!(config.run.default_dim, Config::default().run.default_dim);
    assert_eq!(
        problems,
        [
            "setting `relax.tvm` must be one of \"auto\", \"rfc\", \"unity\", \"0.16\", \"0.17\", \"0.18\", \"0.19\", \"0.20\", \"0.21\", \"0.22\", \"0.23\", \"0.24\", \"0.25\", \"0.26\", \"0.27\", not \"relay\". The release of TVM that files are written for.",
            "setting `relax.codeLens.enable` must be true or false, not \"yes\". Show \"▶ Run\", \"Trace\" and the outcome of the last run above each Relax function and PrimFunc; in VS Code also \"Graph\" of Relax functions.",
            "setting `relax.run.defaultDim` must be a whole number from 1 to 2147483648, not 0. Value of shape variables for which a run has no value.",
        ]
    );
}

#[test]
fn docs_settings_md_is_what_the_table_says() {
    let mut page = String::from(
        "# Settings\n\nClients send them as `initializationOptions`, with `workspace/didChangeConfiguration`, or \
         when asked by `workspace/configuration` (section `relax`). This page is generated from the table in \
         `crates/lsp-server/src/config/settings.rs`.\n\n| setting | values | default | |\n|---|---|---|---|\n",
    );
    for setting in SETTINGS {
        let values = match &setting.kind {
            Kind::Bool { .. } => "`true`, `false`".to_owned(),
            Kind::Integer {
                minimum, maximum, ..
            } => format!("{minimum} to {maximum}"),
            Kind::Path => "a path".to_owned(),
            Kind::Choice { options, .. } => options
                .iter()
                .map(|(name, doc)| format!("`{name}`: {doc}"))
                .collect::<Vec<_>>()
                .join("<br>"),
            Kind::Dims => "shape variables, each with a number".to_owned(),
            Kind::Severities => {
                let levels = LEVELS.map(|(name, _)| format!("`{name}`"));
                format!("codes, each with {}", levels.join(", "))
            }
        };
        let _ = writeln!(
            page,
            "| `{}` | {values} | `{}` | {} |",
            setting.name,
            setting.default(),
            setting.doc
        );
    }
    page.push_str(
        "\n## In a project\n\nThe settings of a project stand in `relax-lsp.toml`, or in `pyproject.toml` under \
         `[tool.relax-lsp]`. A file has those of the nearest folder above it; the command line comes before them. \
         [`relax-lsp.schema.json`](relax-lsp.schema.json) describes them for editors of TOML.\n\n\
         | key | |\n|---|---|\n",
    );
    for (key, doc) in keys() {
        let _ = writeln!(page, "| `{key}` | {doc} |");
    }
    expect_file!["../../../../docs/settings.md"].assert_eq(&page);
}

/// Returns the keys of a project's settings, with their descriptions.
fn keys() -> impl Iterator<Item = (&'static str, String)> {
    let shared = SHARED.iter().map(|(key, name)| {
        let setting = SETTINGS.iter().find(|it| it.name == *name).unwrap();
        (*key, format!("As `{name}`: {}", setting.doc))
    });
    let files = [
        (
            INCLUDE,
            "Patterns of the files that are read in directories, instead of `*.py`. Without a slash, a pattern is about names anywhere below; else about paths from the folder of the settings.",
        ),
        (EXCLUDE, "Patterns of files and folders that are passed by."),
    ];
    shared.chain(files.map(|(key, doc)| (key, doc.to_owned())))
}

#[test]
fn the_schema_of_a_projects_settings_is_what_the_table_says() {
    let properties = keys().map(|(key, doc)| {
        let shared = SHARED.iter().find(|(name, _)| *name == key);
        let setting = shared.and_then(|(_, name)| SETTINGS.iter().find(|it| it.name == *name));
        let mut declared = setting.map_or_else(
            || json!({"type": "array", "items": {"type": "string"}}),
            declaration,
        );
        let properties = declared.as_object_mut().unwrap();
        properties.retain(|key, _| !key.starts_with("markdown"));
        declared["description"] = json!(doc);
        (key.to_owned(), declared)
    });
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of relax-lsp for a project",
        "type": "object",
        "additionalProperties": false,
        "properties": properties.collect::<Map<String, Value>>(),
    });
    expect_file!["../../../../docs/relax-lsp.schema.json"].assert_eq(&format!("{schema:#}\n"));
}

#[test]
fn the_extension_declares_the_settings_of_the_table() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../editors/vscode/package.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let mut package: Value = serde_json::from_str(&text).unwrap();
    let properties: Map<String, Value> = SETTINGS
        .iter()
        .map(|setting| (setting.name.to_owned(), declaration(setting)))
        .collect();
    let declared = &mut package["contributes"]["configuration"];
    let wanted = json!({"title": "Relax", "properties": properties});
    if *declared != wanted {
        *declared = wanted;
        expect_file![path].assert_eq(&format!("{package:#}\n"));
    }
}

fn declaration(setting: &Setting) -> Value {
    let mut declaration = match &setting.kind {
        Kind::Bool { .. } => json!({"type": "boolean"}),
        Kind::Integer {
            minimum, maximum, ..
        } => {
            json!({"type": "integer", "minimum": minimum, "maximum": maximum})
        }
        Kind::Path => json!({"type": "string", "scope": "machine-overridable"}),
        Kind::Choice { options, .. } => json!({
            "type": "string",
            "enum": options.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "markdownEnumDescriptions": options.iter().map(|(_, doc)| doc).collect::<Vec<_>>(),
        }),
        Kind::Dims => {
            json!({"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}})
        }
        Kind::Severities => {
            let levels = LEVELS.map(|(name, _)| name);
            let codes = Code::ALL.iter().map(|code| {
                let level = json!({"type": "string", "enum": levels});
                (code.name().to_owned(), level)
            });
            let codes: Map<String, Value> = codes.collect();
            json!({"type": "object", "properties": codes, "additionalProperties": false})
        }
    };
    declaration["default"] = setting.default();
    declaration["markdownDescription"] = json!(setting.doc);
    declaration
}
