//! What holds before some piece, kept for who has to begin there again. In a function of a hundred thousand names it is
//! megabytes: it is moved along the pieces and back, never copied.

use super::names::{NameId, Names};
use super::state::{NameState, Row, State};
use crate::facts::VarId;
use crate::facts::pieces::PieceFacts;

/// What holds before the piece at a position.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    pub at: usize,
    pub state: State,
}

impl Checkpoint {
    /// Before the first piece.
    pub fn start(names: &Names) -> Checkpoint {
        Checkpoint {
            at: 0,
            state: State::sized(names),
        }
    }

    /// Goes past the piece that stands here.
    pub fn pass(&mut self, piece: &PieceFacts) {
        self.state.apply(self.at as u32, piece);
        self.at += 1;
    }

    /// The way back to here, of which every step from here on has to be [noted](Way::note).
    pub fn way_back(&self) -> Way {
        Way {
            at: self.at,
            flow: self.state.flow(),
            names: Vec::new(),
            vars: Vec::new(),
        }
    }

    pub fn go_back(&mut self, way: Way) {
        for (name, state) in way.names.into_iter().rev() {
            self.state.names[name.0 as usize] = state;
        }
        for (var, row) in way.vars.into_iter().rev() {
            self.state.vars[var.0 as usize] = row;
        }
        self.state.set_flow(way.flow);
        self.at = way.at;
    }
}

/// The way back to where a state was.
#[derive(Debug)]
pub(crate) struct Way {
    at: usize,
    flow: State,
    names: Vec<(NameId, NameState)>,
    vars: Vec<(VarId, Option<Row>)>,
}

impl Way {
    /// Before going past a piece.
    pub fn note(&mut self, state: &State, piece: &PieceFacts) {
        let names = piece.changes.iter().map(|change| change.name);
        self.names
            .extend(names.map(|name| (name, state.name(name))));
        let vars = piece.var_ids.iter().copied();
        self.vars.extend(vars.map(|var| (var, state.var(var))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::state::{Change, InBlock, SymState, To};

    fn piece(name: u32, var: u32) -> PieceFacts {
        PieceFacts {
            changes: Box::new([Change {
                name: NameId(name),
                outer: Some(To::Var(0)),
                inner: Some((To::Sym, InBlock::Open)),
                vars: 1,
                sym: SymState::default(),
            }]),
            var_ids: Box::new([VarId(var)]),
            ended: true,
            opens: Some((text_size::TextRange::default(), true)),
            ..PieceFacts::default()
        }
    }

    #[test]
    fn the_way_back_leads_to_what_held() {
        let mut held = Checkpoint::start(&Names::default());
        held.pass(&piece(0, 0));
        let before = held.state.clone();
        let mut way = held.way_back();
        for piece in [piece(0, 1), piece(3, 2), piece(0, 0)] {
            way.note(&held.state, &piece);
            held.pass(&piece);
        }
        assert_ne!(held.state.name(NameId(0)), before.name(NameId(0)));
        held.go_back(way);
        assert_eq!(held.at, 1);
        for at in 0..4 {
            let (name, var) = (NameId(at), VarId(at));
            assert_eq!(held.state.name(name), before.name(name));
            assert_eq!(held.state.var(var), before.var(var));
        }
        assert_eq!(held.state.blocks, before.blocks);
        assert_eq!(held.state.open, before.open);
    }
}
