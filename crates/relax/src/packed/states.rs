//! Sequences of caches and states, rounds of a model, states of recurrent layers.

use super::PackedKind::{Nothing, Object, Shape, Tensor};
use super::{Packed, row};
use crate::release::{Release, Releases};

#[rustfmt::skip]
pub(super) const ROWS: &[Packed] = &[
    row("vm.builtin.kv_state_clear", "state: Object", Nothing, Releases::ALL, "Removes every sequence."),
    row("vm.builtin.kv_state_add_sequence", "state: Object, sequence: int", Nothing, Releases::ALL, "Adds an empty sequence under a number."),
    row("vm.builtin.kv_state_remove_sequence", "state: Object, sequence: int", Nothing, Releases::ALL, "Removes a sequence."),
    row("vm.builtin.kv_state_fork_sequence", "state: Object, parent: int, child: int", Nothing, Releases::until(Release::V0_16), "Adds a sequence that begins as another does."),
    row("vm.builtin.kv_state_fork_sequence", "state: Object, parent: int, child: int, position: int", Nothing, Releases::since(Release::V0_17), "Adds a sequence that begins as another does, up to a position, or to its end with -1."),
    row("vm.builtin.kv_state_popn", "state: Object, sequence: int, count: int", Nothing, Releases::ALL, "Takes the last tokens off a sequence."),
    row("vm.builtin.kv_state_begin_forward", "state: Object, sequences: Shape, lengths: Shape, tree: Any = None", Nothing, Releases::ALL, "Begins a round of the model: which sequences, and how many tokens are appended to each."),
    row("vm.builtin.kv_state_end_forward", "state: Object", Nothing, Releases::ALL, "Ends a round of the model."),
    row("vm.builtin.kv_cache_disagg_prepare_recv", "cache: Object, sequence: int, length: int", Shape, Releases::since(Release::V0_19), "Makes room for what another device sends."),
    row("vm.builtin.kv_cache_disagg_mark_send", "cache: Object, sequence: int, begin: int, positions: Shape, receiver: int", Nothing, Releases::since(Release::V0_19), "Sends what is kept from a token on to another device."),
    row("vm.builtin.rnn_state_create", "layers: int, sequences: int, history: int, get: Tuple, set: Tuple, init: Tuple", Object, Releases::ALL, "Makes the state of recurrent layers; a history of steps can be taken back.").pure(),
    row("vm.builtin.rnn_state_get", "state: Object, layer: int, number: int, out: Tensor", Nothing, Releases::ALL, "Reads a state of the sequences of the round."),
    row("vm.builtin.rnn_state_set", "state: Object, layer: int, number: int, data: Tensor", Object, Releases::ALL, "Writes a state of the sequences of the round."),
    row("vm.builtin.rnn_state_debug_get", "state: Object, layer: int, number: int, sequence: int", Tensor, Releases::ALL, "The present state of a sequence.").pure(),
];
