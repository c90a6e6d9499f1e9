//! One file for each request: from the protocol's parameters, through `ide`, to the protocol's answer.
//! They see a snapshot or, for files that nobody has opened, a survey; never the session.

pub mod call_hierarchy;
pub mod code_action;
pub mod code_lens;
pub mod completion;
pub mod declaration;
pub mod definition;
pub mod diagnostic;
pub mod document_highlight;
pub mod document_link;
pub mod document_symbol;
pub mod execute_command;
pub mod folding_range;
pub mod formatting;
pub mod hover;
pub mod inlay_hint;
pub mod inline_value;
pub mod references;
pub mod rename;
pub mod selection_range;
pub mod semantic_tokens;
pub mod show_graph;
pub mod show_lowered;
pub mod signature_help;
pub mod tensor;
pub mod type_definition;
pub mod workspace_diagnostic;
pub mod workspace_symbol;
