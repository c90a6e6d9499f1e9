//! The questions about a file: about the whole file, and about positions in it, as an editor asks.

use ide::difference::Difference;
use ide::graph::GraphLimit;
use ide::passes::{Sequence, StageReader};
use ide::{
    Analysis, AnalysisHost, Change, Config, FileId, FilePosition, FormatOptions, Language,
    LineNumbers, Resolve,
};
use relax::release::{Release, Releases};
use syntax::{TextRange, TextSize};

/// A question about an open file.
pub struct Ask {
    pub name: &'static str,
    of: fn(&mut Open),
}

#[rustfmt::skip]
pub const ASKS: &[Ask] = &[
    Ask { name: "open", of: |_| {} },
    Ask { name: "check", of: |open| drop(open.analysis().diagnostics(FILE)) },
    Ask { name: "facts", of: Open::facts },
    Ask { name: "hover", of: |open| open.at_places(|it, at| drop(it.hover(at, &Lines))) },
    Ask { name: "complete", of: |open| open.at_places(|it, at| drop(it.completions(at, None))) },
    Ask { name: "complete-dot", of: |open| open.at_places(|it, at| drop(it.completions(at, Some('.')))) },
    Ask { name: "signature", of: |open| open.at_places(|it, at| drop(it.signature_help(at))) },
    Ask { name: "define", of: |open| open.at_places(|it, at| drop((it.goto_definition(at), it.goto_declaration(at), it.goto_type_definition(at)))) },
    Ask { name: "refer", of: |open| open.at_places(|it, at| drop((it.references(at, true), it.document_highlight(at)))) },
    Ask { name: "rename", of: |open| open.at_places(|it, at| drop((it.prepare_rename(at), it.rename(at, "renamed")))) },
    Ask { name: "hierarchy", of: |open| open.at_places(|it, at| drop((it.call_hierarchy(at), it.incoming_calls(at), it.outgoing_calls(at)))) },
    Ask { name: "select", of: |open| open.at_places(|it, at| drop(it.selection_ranges(at))) },
    Ask { name: "graph", of: |open| open.at_places(|it, at| drop(it.graph(at, at.offset, GraphLimit { nodes: 200, in_boxes: 10_000 }))) },
    Ask { name: "fix", of: |open| open.at_windows(|it, window| drop(it.fixes(FILE, window, &[]))) },
    Ask { name: "assist", of: |open| open.at_windows(|it, window| drop(it.assists(FILE, window, &Resolve::All))) },
    Ask { name: "hint", of: |open| open.at_windows(|it, window| drop(it.inlay_hints(FILE, window))) },
    Ask { name: "colour", of: |open| open.at_windows(|it, window| drop(it.semantic_tokens(FILE, window))) },
    Ask { name: "format-lines", of: |open| open.at_windows(|it, window| drop(it.format(FILE, Some(window), FormatOptions { line_length: None }))) },
    Ask { name: "fix-whole", of: |open| drop(open.analysis().fixes(FILE, open.whole(), &[])) },
    Ask { name: "fix-all", of: |open| drop(open.analysis().fix_all(FILE, ide::Sure::Certain)) },
    Ask { name: "assist-whole", of: |open| drop(open.analysis().assists(FILE, open.whole(), &Resolve::All)) },
    Ask { name: "hint-whole", of: |open| drop(open.analysis().inlay_hints(FILE, open.whole())) },
    Ask { name: "colour-whole", of: |open| drop(open.analysis().semantic_tokens(FILE, open.whole())) },
    Ask { name: "format", of: |open| drop(open.analysis().format(FILE, None, FormatOptions { line_length: Some(100) })) },
    Ask { name: "outline", of: |open| { let it = open.analysis(); drop((it.document_symbols(FILE), it.folding_ranges(FILE), it.document_links(FILE), it.workspace_symbols(FILE))); } },
    Ask { name: "lenses", of: |open| { let it = open.analysis(); drop((it.runnables(FILE), it.reference_counts(FILE))); } },
    Ask { name: "migrate", of: Open::migrated },
    Ask { name: "diff", of: Open::compared },
    Ask { name: "passes", of: Open::passes },
    Ask { name: "cost", of: |open| drop(open.analysis().costs(FILE)) },
    Ask { name: "type", of: Open::typed },
    Ask { name: "editor", of: Open::edited },
];

const FILE: FileId = FileId(0);
/// The number of positions that are asked about.
const PLACES: u64 = 6;
/// The number of bytes that an editor shows at once.
const WINDOW: u32 = 4000;

/// Asks the question with this name about a file with this text.
pub fn ask(name: &str, text: &str) {
    let ask = ASKS
        .iter()
        .find(|it| it.name == name)
        .expect("an ask has this name");
    (ask.of)(&mut Open::new(text));
}

struct Open {
    host: AnalysisHost,
    text: String,
}

struct Lines;

impl LineNumbers for Lines {
    fn line(&self, offset: TextSize) -> u32 {
        offset.into()
    }
}

/// The file with this text, in the language of the text.
fn change(text: impl Into<ide::Text>) -> Change {
    let mut change = Change::new(FILE, text);
    if change
        .text
        .as_ref()
        .is_some_and(|it| tests::hostile::is_relay(it))
    {
        change.language = Language::Relay;
    }
    change
}

impl Open {
    fn new(text: &str) -> Open {
        let mut host = AnalysisHost::default();
        host.apply_change(change(text));
        Open {
            host,
            text: text.to_owned(),
        }
    }

    fn analysis(&self) -> Analysis {
        self.host.analysis()
    }

    fn whole(&self) -> TextRange {
        TextRange::up_to(TextSize::of(self.text.as_str()))
    }

    /// Positions all over the text.
    fn places(&self) -> impl Iterator<Item = TextSize> {
        let length = self.text.len() as u64;
        let at = move |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (length + 1);
        (1..=PLACES).map(move |k| self.boundary(at(k) as usize))
    }

    fn boundary(&self, mut at: usize) -> TextSize {
        at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        TextSize::new(at as u32)
    }

    fn at_places(&self, asked: impl Fn(&Analysis, FilePosition)) {
        let analysis = self.analysis();
        for offset in self.places() {
            asked(&analysis, FilePosition { file: FILE, offset });
        }
    }

    fn at_windows(&self, asked: impl Fn(&Analysis, TextRange)) {
        let analysis = self.analysis();
        for start in self.places() {
            let end = self.boundary((u32::from(start) + WINDOW) as usize);
            asked(&analysis, TextRange::new(start, end));
        }
    }

    /// Everything that `relax-lsp facts` prints.
    fn facts(&mut self) {
        let analysis = self.analysis();
        let (db, file) = analysis.hir(FILE).expect("the file is open");
        let release = hir::file_release(db, file);
        let mut length = 0;
        for &function in &hir::file_items(db, file).functions {
            let facts = hir::lazy_facts(db, function);
            for var in facts.vars() {
                length += var.struct_info.display(release.dialect()).to_string().len();
            }
        }
        std::hint::black_box(length);
    }

    /// The difference from the file with other names of functions and without some of its lines, both ways.
    fn compared(&mut self) {
        let renamed = self.text.replace("def f", "def other_f");
        let renamed = renamed.replace("cls.f", "cls.other_f");
        let lines = renamed.lines().enumerate();
        let kept: Vec<&str> = lines.filter(|it| it.0 % 7 != 6).map(|it| it.1).collect();
        let [before, after] = [self.text.clone(), kept.join("\n")].map(|text| {
            let (analysis, file) = Analysis::from_whole_file(text, Config::default());
            analysis.snapshot(file).expect("nothing changes the file")
        });
        drop(Difference::of(&before, &after));
        drop(Difference::of(&after, &before));
    }

    /// The passes of a compilation: one that changes nothing, and one that changes much.
    fn passes(&mut self) {
        let dumps = [
            ("000_First", self.text.clone()),
            ("001_Second", format!("{}\n", self.text)),
            ("002_Third", self.text.replace("float32", "float16")),
        ];
        let mut sequence = Sequence::of_passes(&["First", "Second", "Third"], &[None; 3]);
        let mut reader = StageReader::default();
        for (label, text) in dumps {
            sequence.push(reader.read(text.into(), Config::default(), label));
        }
        for at in 0..sequence.stages.len() {
            drop(sequence.difference(at));
        }
    }

    /// Migrates the file from 2022 to the newest release, and from there to an older one.
    fn migrated(&mut self) {
        for (from, to) in [
            (Release::OLDEST, Release::NEWEST),
            (Release::V0_19, Release::NEWEST),
            (Release::NEWEST, Release::V0_19),
        ] {
            drop(ide::migrate(&self.text, Releases::only(from), to));
        }
    }

    /// Types a letter and removes it, and computes the diagnostics after each edit.
    fn typed(&mut self) {
        drop(self.analysis().diagnostics(FILE));
        let mut text = ide::Text::from(self.text.clone());
        self.host.apply_change(change(text.clone()));
        let places: Vec<TextSize> = self.places().collect();
        for at in places {
            self.edit(&mut text, TextRange::empty(at), "a");
            drop(self.analysis().diagnostics(FILE));
            self.edit(&mut text, TextRange::at(at, TextSize::new(1)), "");
            drop(self.analysis().diagnostics(FILE));
        }
    }

    /// Replaces a part of the text, and parses all of it if that is necessary.
    fn edit(&mut self, text: &mut ide::Text, replaced: TextRange, new: &str) {
        if !self.host.apply_edit(FILE, text, replaced, new) {
            text.edit(replaced, new);
            self.host.apply_change(change(text.clone()));
        }
    }

    /// Every question of an editor.
    fn edited(&mut self) {
        for ask in ASKS.iter().filter(|it| it.name != "editor") {
            (ask.of)(self);
        }
    }
}
