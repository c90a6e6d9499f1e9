//! Sequences of caches and states, rounds of a model, states of recurrent layers.

use super::PackedKind::{Nothing, Object, Shape, Tensor};
use super::{Packed, row};
use crate::release::{Release, Releases};

#[rustfmt::skip]
pub(super) const ROWS: &[Packed] = &[
    row("vm.builtin.kv_state_clear", "state: Object", Nothing, Releases::ALL, "Removes all sequences.").free(),
    row("vm.builtin.kv_state_add_sequence", "state: Object, sequence: int", Nothing, Releases::ALL, "Adds an empty sequence with an id.").free(),
    row("vm.builtin.kv_state_remove_sequence", "state: Object, sequence: int", Nothing, Releases::ALL, "Removes a sequence.").free(),
    row("vm.builtin.kv_state_fork_sequence", "state: Object, parent: int, child: int", Nothing, Releases::until(Release::V0_16), "Adds a copy of another sequence."),
    row("vm.builtin.kv_state_fork_sequence", "state: Object, parent: int, child: int, position: int", Nothing, Releases::since(Release::V0_17), "Adds a copy of another sequence up to a position; -1 copies all of it."),
    row("vm.builtin.kv_state_popn", "state: Object, sequence: int, count: int", Nothing, Releases::ALL, "Removes the last tokens of a sequence.").free(),
    row("vm.builtin.kv_state_begin_forward", "state: Object, sequences: Shape, lengths: Shape, tree: Any = None", Nothing, Releases::ALL, "Begins a forward step: the ids of its sequences, and the number of tokens that each appends."),
    row("vm.builtin.kv_state_end_forward", "state: Object", Nothing, Releases::ALL, "Ends a forward step.").free(),
    row("vm.builtin.kv_cache_disagg_prepare_recv", "cache: Object, sequence: int, length: int", Shape, Releases::since(Release::V0_19), "Reserves space for keys and values that another device sends."),
    row("vm.builtin.kv_cache_disagg_mark_send", "cache: Object, sequence: int, begin: int, positions: Shape, receiver: int", Nothing, Releases::since(Release::V0_19), "Marks a sequence so that its keys and values from a position on are sent to another device."),
    row("vm.builtin.rnn_state_create", "layers: int, sequences: int, history: int, get: Tuple, set: Tuple, init: Tuple", Object, Releases::ALL, "Creates the state of recurrent layers, with a history of steps that can be undone.").pure(),
    row("vm.builtin.rnn_state_get", "state: Object, layer: int, number: int, out: Tensor", Nothing, Releases::ALL, "Returns a state of the sequences of this step."),
    row("vm.builtin.rnn_state_set", "state: Object, layer: int, number: int, data: Tensor", Object, Releases::ALL, "Writes a state of the sequences of this step."),
    row("vm.builtin.rnn_state_debug_get", "state: Object, layer: int, number: int, sequence: int", Tensor, Releases::ALL, "Returns the current state of a sequence.").pure(),
];
