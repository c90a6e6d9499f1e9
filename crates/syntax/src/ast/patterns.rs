//! Accessors of `case` patterns.

use super::{
    AsPattern, AstNode, CapturePattern, ClassPattern, Expr, KeywordPattern, LiteralPattern,
    MappingPattern, MappingPatternEntry, OrPattern, ParenPattern, Pattern, PatternArgList,
    SequencePattern, StarPattern, ValuePattern, child, child_after, children, token,
};
use crate::kind::{SyntaxKind as K, SyntaxToken};

impl LiteralPattern {
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl ValuePattern {
    /// The dotted name.
    pub fn expr(&self) -> Option<Expr> {
        child(self.syntax())
    }
}

impl CapturePattern {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }
}

impl ParenPattern {
    pub fn pattern(&self) -> Option<Pattern> {
        child(self.syntax())
    }
}

impl SequencePattern {
    pub fn patterns(&self) -> impl Iterator<Item = Pattern> + use<> {
        children(self.syntax())
    }
}

impl StarPattern {
    /// The captured name; `None` for `*_`.
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }
}

impl MappingPattern {
    pub fn entries(&self) -> impl Iterator<Item = MappingPatternEntry> + use<> {
        children(self.syntax())
    }
}

impl MappingPatternEntry {
    /// The name after `**`.
    pub fn rest(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn key(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn pattern(&self) -> Option<Pattern> {
        child_after(self.syntax(), K::COLON)
    }
}

impl ClassPattern {
    /// The dotted name of the class.
    pub fn class(&self) -> Option<Expr> {
        child(self.syntax())
    }

    pub fn args(&self) -> Option<PatternArgList> {
        child(self.syntax())
    }
}

impl PatternArgList {
    pub fn positional(&self) -> impl Iterator<Item = Pattern> + use<> {
        children(self.syntax())
    }

    pub fn keywords(&self) -> impl Iterator<Item = KeywordPattern> + use<> {
        children(self.syntax())
    }
}

impl KeywordPattern {
    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }

    pub fn pattern(&self) -> Option<Pattern> {
        child(self.syntax())
    }
}

impl OrPattern {
    pub fn alternatives(&self) -> impl Iterator<Item = Pattern> + use<> {
        children(self.syntax())
    }
}

impl AsPattern {
    pub fn pattern(&self) -> Option<Pattern> {
        child(self.syntax())
    }

    pub fn name(&self) -> Option<SyntaxToken> {
        token(self.syntax(), K::IDENT)
    }
}
