//! `textDocument/signatureHelp`.

use ide::{Cancellable, FilePosition, Markdown, Parameter, Signature};
use lsp_types::{
    Documentation, ParameterInformation, ParameterLabel, ServerCapabilities, SignatureHelp,
    SignatureHelpOptions, SignatureHelpParams, SignatureInformation,
};

use crate::capabilities::Client;
use crate::session::Snapshot;
use crate::to_proto;

const TRIGGERS: [&str; 3] = ["(", ",", "["];

pub fn offer(capabilities: &mut ServerCapabilities, _: &Client) {
    capabilities.signature_help_provider = Some(SignatureHelpOptions {
        trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
        ..SignatureHelpOptions::default()
    });
}

pub fn answer(
    snapshot: &Snapshot,
    params: SignatureHelpParams,
) -> Cancellable<Option<SignatureHelp>> {
    let at = params.text_document_position_params;
    let Some(document) = snapshot.document(&at.text_document.uri) else {
        return Ok(None);
    };
    let position = FilePosition {
        file: document.file,
        offset: document.lines.offset(at.position),
    };
    let help = snapshot.analysis.signature_help(position)?;
    Ok(help.map(|help| {
        let active = help.active;
        let signatures = help.signatures.into_iter();
        let signatures: Vec<_> = signatures
            .map(|it| to_signature(it, &snapshot.client))
            .collect();
        SignatureHelp {
            active_signature: Some(active as u32),
            active_parameter: signatures.get(active).and_then(|it| it.active_parameter),
            signatures,
        }
    }))
}

fn to_signature(signature: Signature, client: &Client) -> SignatureInformation {
    let Signature {
        label,
        params,
        active,
        doc,
    } = signature;
    let document = |text: &Markdown| {
        let markup = to_proto::markup(text, client.signature_markdown);
        Documentation::MarkupContent(markup)
    };
    let to_parameter = |param: Parameter| {
        let range = std::ops::Range::<usize>::from(param.range);
        let units = |text: &str| text.encode_utf16().count() as u32;
        let start = units(&label[..range.start]);
        let text = &label[range];
        ParameterInformation {
            label: if client.label_offsets {
                ParameterLabel::LabelOffsets([start, start + units(text)])
            } else {
                ParameterLabel::Simple(text.to_owned())
            },
            documentation: (!param.doc.is_empty()).then(|| document(&param.doc)),
        }
    };
    SignatureInformation {
        parameters: Some(params.into_iter().map(to_parameter).collect()),
        documentation: (!doc.is_empty()).then(|| document(&doc)),
        active_parameter: active.map(|active| active as u32),
        label,
    }
}
