//! Validates JSON with a JSON Schema.

use boon::{Compiler, Schemas};
use serde_json::Value;

pub struct Schema {
    schemas: Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    pub fn new(schema: Value) -> Self {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        let place = "memory:///schema.json";
        compiler.enable_format_assertions();
        compiler.add_resource(place, schema).expect("a place");
        let index = compiler
            .compile(place, &mut schemas)
            .unwrap_or_else(|error| panic!("{error:#}"));
        Self { schemas, index }
    }

    #[track_caller]
    pub fn accepts(&self, value: &Value) {
        if let Err(error) = self.schemas.validate(value, self.index) {
            panic!("{error:#}\n{value:#}");
        }
    }

    #[track_caller]
    pub fn refuses(&self, value: &Value) {
        assert!(
            self.schemas.validate(value, self.index).is_err(),
            "{value:#}"
        );
    }
}

/// The schema of `relax-lsp.toml` and of `[tool.relax-lsp]`.
#[test]
fn the_settings_that_the_page_shows_fit_their_schema() {
    let schema = Schema::new(super::json("docs/relax-lsp.schema.json"));
    let page = super::text("docs/ci.md");
    let blocks = page.split("```toml\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").expect("a block ends").0);
    let blocks: Vec<Value> = blocks
        .map(|it| toml::from_str(it).expect("it is TOML"))
        .collect();
    assert!(!blocks.is_empty());
    for settings in &blocks {
        schema.accepts(
            settings
                .pointer("/tool/relax-lsp")
                .expect("settings of the program"),
        );
    }
    schema.refuses(&serde_json::json!({"tvmm": "0.25"}));
    schema.refuses(&serde_json::json!({"severity": {"unused-function": "loud"}}));
}
