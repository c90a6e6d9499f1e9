//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`.

use ide::{Call, CallItem, Cancellable, FilePosition};
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
};

use crate::documents::Document;
use crate::session::Snapshot;
use crate::to_proto;

pub fn prepare(
    snapshot: &Snapshot,
    params: CallHierarchyPrepareParams,
) -> Cancellable<Option<Vec<CallHierarchyItem>>> {
    let Some((document, position)) = snapshot.place(&params.text_document_position_params) else {
        return Ok(None);
    };
    let item = snapshot.analysis.call_hierarchy(position)?;
    Ok(item.map(|it| vec![to_item(document, it)]))
}

pub fn incoming(
    snapshot: &Snapshot,
    params: CallHierarchyIncomingCallsParams,
) -> Cancellable<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some((document, position)) = of_item(snapshot, &params.item) else {
        return Ok(None);
    };
    let calls = snapshot.analysis.incoming_calls(position)?;
    let call = |it: Call| CallHierarchyIncomingCall {
        from_ranges: ranges(document, &it),
        from: to_item(document, it.function),
    };
    Ok(Some(calls.into_iter().map(call).collect()))
}

pub fn outgoing(
    snapshot: &Snapshot,
    params: CallHierarchyOutgoingCallsParams,
) -> Cancellable<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some((document, position)) = of_item(snapshot, &params.item) else {
        return Ok(None);
    };
    let calls = snapshot.analysis.outgoing_calls(position)?;
    let call = |it: Call| CallHierarchyOutgoingCall {
        from_ranges: ranges(document, &it),
        to: to_item(document, it.function),
    };
    Ok(Some(calls.into_iter().map(call).collect()))
}

/// Returns the position of an item that the client received before.
fn of_item<'s>(
    snapshot: &'s Snapshot,
    item: &CallHierarchyItem,
) -> Option<(&'s Document, FilePosition)> {
    let document = snapshot.document(&item.uri)?;
    let position = FilePosition {
        file: document.file,
        offset: document.lines.offset(item.selection_range.start),
    };
    Some((document, position))
}

fn to_item(document: &Document, item: CallItem) -> CallHierarchyItem {
    CallHierarchyItem {
        name: item.name,
        kind: to_proto::symbol_kind(item.kind),
        tags: None,
        detail: item.within,
        uri: document.uri.clone(),
        range: document.lines.to_range(item.range),
        selection_range: document.lines.to_range(item.name_range),
        data: None,
    }
}

fn ranges(document: &Document, call: &Call) -> Vec<Range> {
    let ranges = call.ranges.iter();
    ranges.map(|&it| document.lines.to_range(it)).collect()
}
