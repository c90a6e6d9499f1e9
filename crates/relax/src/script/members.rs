//! Members of a buffer in a PrimFunc.

use super::Role::{Buffer, Value};
use super::{Entry, plain, row};
use crate::release::{Release, Releases};

const ALL: Releases = Releases::ALL;
const OLD: Releases = Releases::until(Release::V0_24);
const TYPE: Releases = Releases::since(Release::V0_25);

#[rustfmt::skip]
const BUFFER: &[Entry] = &[
    plain("shape", Value, ALL, "its dimensions"),
    plain("dtype", Value, ALL, "the dtype of its elements"),
    plain("data", Value, ALL, "the pointer to its memory"),
    plain("strides", Value, ALL, "elements between neighbours of each dimension"),
    plain("elem_offset", Value, ALL, "elements before its first"),
    row("access_ptr", "access_mask, ptr_type=\"handle\", content_lanes=1, offset=0, extent=None", Value, ALL, "a pointer for calls"),
    row("vload", "begin, dtype=None, predicate=None", Value, OLD, "loads a vector"),
    row("vload", "begin, dtype=None", Value, TYPE, "loads a vector"),
    row("vstore", "begin, value, predicate=None", Value, OLD, "stores a vector"),
    row("vstore", "begin, value", Value, TYPE, "stores a vector"),
    row("scope", "", Value, ALL, "the memory scope"),
    row("offset_of", "indices", Value, ALL, "the offset of an element"),
    row("view", "*shape, layout=None", Buffer, TYPE, "the same memory in another shape, or as another dtype"),
    row("local", "*shape, layout=None", Buffer, TYPE, "this thread's part of the buffer"),
    row("permute", "*dims", Buffer, TYPE, "the same memory with its dimensions in another order"),
    row("rearrange", "pattern, **sizes", Buffer, TYPE, "the same memory in another shape, by a pattern: `\"b (2 r) -> 2 b r\"`"),
    row("tile", "*specs", Buffer, TYPE, "one of several pieces of the dimensions"),
    row("chunk", "spec", Buffer, TYPE, "one of several equal parts of the dimensions"),
    plain("sub", Value, TYPE, "a part of the buffer as a buffer: `A.sub[0, :]`"),
    row("ptr_to", "indices", Value, TYPE, "a pointer to an element"),
    row("elem_offset_of", "indices, inner=True", Value, TYPE, "the number of elements before an element"),
    row("byte_offset_of", "indices, inner=True", Value, TYPE, "the number of bytes before an element"),
    plain("byte_offset", Value, TYPE, "the number of bytes before the first element"),
    plain("layout", Value, TYPE, "the layout of the elements"),
    plain("allocated_addr", Value, TYPE, "the address, if it is chosen by hand"),
    row("with_dtype", "dtype", Buffer, TYPE, "the same with another dtype"),
    row("with_allocated_addr", "allocated_addr", Buffer, TYPE, "the same at another address"),
];

/// Returns the members of a buffer in a release.
pub fn buffer_members(release: Release) -> impl Iterator<Item = &'static Entry> {
    BUFFER
        .iter()
        .filter(move |entry| entry.releases.contains(release))
}

pub fn buffer_member(name: &str, release: Release) -> Option<&'static Entry> {
    buffer_members(release).find(|entry| entry.name == name)
}
