//! Where a binding of a recorded module came from, as a part of its hover.

use crate::markdown::{Code, Markdown, markdown};
use crate::types::Hover;

/// The place that made a binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OriginNote {
    /// The module of the model: `layers.0.mlp`.
    pub module: Option<String>,
    /// The node of the imported graph, and its operator.
    pub node: Option<(String, String)>,
    /// The line for people, `model.py:16`, and the escaped URI of the file.
    pub line: Option<(String, String)>,
}

/// The maximum number of origins in a hover. A fused call can have dozens.
const SHOWN: usize = 8;

impl Hover {
    /// Adds the origins of the binding.
    #[must_use]
    pub fn with_origins(mut self, origins: &[OriginNote]) -> Hover {
        if origins.is_empty() {
            return self;
        }
        self.markdown.push("\n\n---\n\nfrom");
        for (at, origin) in origins.iter().take(SHOWN).enumerate() {
            self.markdown.push(if at == 0 { " " } else { "  \n" });
            self.markdown.push(origin.markdown());
        }
        if origins.len() > SHOWN {
            let more = origins.len() - SHOWN;
            self.markdown.push(markdown!("  \nand {} more", more));
        }
        self
    }
}

impl OriginNote {
    fn markdown(&self) -> Markdown {
        let mut parts = Vec::new();
        if let Some(module) = &self.module {
            parts.push(markdown!("{}", Code(module)));
        }
        if let Some((name, op)) = &self.node {
            parts.push(markdown!("{} ({})", Code(name), Code(op)));
        }
        if let Some((shown, uri)) = &self.line {
            parts.push(Markdown::link(shown, uri));
        }
        Markdown::joined(parts, " · ")
    }
}
