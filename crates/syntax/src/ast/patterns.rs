//! Accessors of `case` patterns.

use super::{
    AsPattern, CapturePattern, ClassPattern, Expr, KeywordPattern, LiteralPattern, MappingPattern,
    MappingPatternEntry, OrPattern, ParenPattern, Pattern, PatternArgList, SequencePattern,
    StarPattern, ValuePattern, accessors,
};
use crate::kind::{SyntaxKind as K, SyntaxToken};

accessors! {
    LiteralPattern {
        child expr: Expr;
    }
    ValuePattern {
        /// The dotted name.
        child expr: Expr;
    }
    CapturePattern {
        token name: IDENT;
    }
    ParenPattern {
        child pattern: Pattern;
    }
    SequencePattern {
        children patterns: Pattern;
    }
    StarPattern {
        /// The captured name; `None` for `*_`.
        token name: IDENT;
    }
    MappingPattern {
        children entries: MappingPatternEntry;
    }
    MappingPatternEntry {
        /// The name after `**`.
        token rest: IDENT;
        child key: Expr;
        child_after pattern: Pattern, COLON;
    }
    ClassPattern {
        /// The dotted name of the class.
        child class: Expr;
        child args: PatternArgList;
    }
    PatternArgList {
        children positional: Pattern;
        children keywords: KeywordPattern;
    }
    KeywordPattern {
        token name: IDENT;
        child pattern: Pattern;
    }
    OrPattern {
        children alternatives: Pattern;
    }
    AsPattern {
        child pattern: Pattern;
        token name: IDENT;
    }
}
