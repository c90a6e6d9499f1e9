//! Which release of TVM the text of a file shows.

use std::borrow::Cow;

use crate::release::{Elsewhere, Release, Releases, spellings};

/// How much of a file's beginning shows its release.
const DETECT_BYTES: usize = 64 * 1024;

/// The part of a text that shows its release.
pub fn head(text: &str) -> &str {
    let mut end = text.len().min(DETECT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The releases that have most of the spellings of a text; every one where it shows none.
pub fn detect(text: &str) -> Releases {
    let head = head(text);
    let names = NAMED.map(|(letter, modules)| (letter, name_of(head, letter, modules)));
    let mut scores = [0usize; Release::ALL.len()];
    // A file with `tirx` may be of the newest release, which takes older names.
    let newest = head.contains("tirx");
    for spelling in spellings() {
        for (mark, weight) in spelling.marks {
            let mark = by_names(mark, &names);
            let shown = head.matches(&*mark).take(50).count() * weight;
            for release in Release::ALL {
                let accepted = newest
                    && spelling.elsewhere == Elsewhere::Accepted
                    && release > spelling.releases.until;
                if accepted || spelling.releases.contains(release) {
                    scores[release as usize] += shown;
                }
            }
        }
    }
    let best = scores.iter().copied().max().unwrap_or(0);
    let best = Release::ALL
        .into_iter()
        .filter(|it| scores[*it as usize] == best);
    let until = best.clone().next_back().unwrap_or(Release::NEWEST);
    // The run of releases that ends there.
    let mut run = Release::ALL.into_iter().rev();
    let run = run.by_ref().skip_while(|it| *it > until);
    let since = run.take_while(|it| scores[*it as usize] == scores[until as usize]);
    Releases::between(since.last().unwrap_or(until), until)
}

/// What most files call the namespaces of TVMScript, and the modules that these are.
const NAMED: [(&str, &[&str]); 3] = [("R", &["relax"]), ("T", &["tirx", "tir"]), ("I", &["ir"])];

/// What the imports of a text call a namespace.
fn name_of<'t>(head: &'t str, letter: &'static str, modules: &[&str]) -> &'t str {
    let imported = |module: &&str| {
        let import = format!("{module} as ");
        let mut names = head.match_indices(&import).filter_map(|(at, import)| {
            let line = head[..at].rsplit('\n').next().unwrap_or_default();
            let whole = line.contains("script") && line.ends_with([' ', ',', '.']);
            let rest = &head[at + import.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            whole.then(|| &rest[..end.unwrap_or(rest.len())])
        });
        let first = names.next()?;
        (first != letter && names.all(|it| it != letter)).then_some(first)
    };
    modules.iter().find_map(imported).unwrap_or(letter)
}

/// A mark in a text that has other names for `R`, `T` and `I`.
fn by_names<'m>(mark: &'m str, names: &[(&str, &str)]) -> Cow<'m, str> {
    for (letter, name) in names.iter().filter(|(letter, name)| letter != name) {
        let mark = mark
            .strip_prefix('@')
            .map_or(("", mark), |rest| ("@", rest));
        if let Some(rest) = mark.1.strip_prefix(letter).filter(|it| it.starts_with('.')) {
            return format!("{}{name}{rest}", mark.0).into();
        }
        if let Some(import) = mark
            .1
            .strip_suffix(letter)
            .filter(|it| it.ends_with(" as "))
        {
            return format!("{import}{name}").into();
        }
    }
    mark.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_stands_once_and_marks_tell_releases_apart() {
        let mut shown: Vec<&str> = spellings().map(|row| row.shown).collect();
        shown.sort_unstable();
        let all = shown.len();
        shown.dedup();
        assert_eq!(shown.len(), all);
        for row in spellings() {
            let tells = row.releases != Releases::ALL;
            assert!(row.marks.is_empty() || tells, "{}", row.shown);
            assert!(row.releases.since <= row.releases.until, "{}", row.shown);
        }
    }

    #[test]
    fn other_names_for_the_namespaces_show_the_same_release() {
        let by_letters = "from tvm.script import relax as R, tir as T\ny: R.Object = x\n";
        assert_eq!(detect(by_letters).until, Release::V0_23);
        let by_names = "from tvm.script import relax as rx, tir as tx\ny: rx.Object = x\n";
        assert_eq!(detect(by_names).until, Release::V0_23);
        let both = "from tvm import relax as rx\nfrom tvm.script import relax as r\n@r.func\n";
        assert_eq!(detect(both).until, Release::Rfc);
        assert_eq!(
            detect("from tvm.script import relax as rx\n@rx.func\n").until,
            Release::Rfc
        );
    }

    #[test]
    fn spellings_leave_an_interval() {
        let text = "from tvm.script import relax as R, tirx as T\nR.call_tir(f, (x,), out_sinfo=y)";
        let expected = Releases::between(Release::V0_24, Release::V0_25);
        assert_eq!(detect(text), expected);
    }

    #[test]
    fn a_text_without_marks_is_of_the_newest_release() {
        assert_eq!(detect("x = R.add(a, b)").until, Release::NEWEST);
    }

    #[test]
    fn spellings_tell_the_release() {
        assert_eq!(
            detect("R.call_tir(f, (x,), out_sinfo=R.Tensor((4,)))").until,
            Release::V0_25
        );
        assert_eq!(detect("n = TypeVar(\"n\")").until, Release::NEWEST);
        assert_eq!(
            detect("def f(x: R.Tensor[(n,), \"float32\"])").until,
            Release::Rfc
        );
        let rfc =
            "from tvm.script import relax as R, tir as T\ndef f(x: R.Tensor[(n,), \"float32\"])";
        assert_eq!(detect(rfc).until, Release::Rfc);
        // One old spelling in a newer file is a mistake in that.
        let newer = "from tvm.script import relax as R, tir as T\nx: R.Tensor((4,), \"float32\")\nR.match_shape(x, (n,))\nR.output(x)";
        assert_eq!(detect(newer).until, Release::V0_23);
    }
}
