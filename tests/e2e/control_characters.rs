//! Text of programs and names of files reach no output raw: each format is fed with every control character, and read
//! with its own parser.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use quick_xml::events::Event;
use serde_json::{Value, json};

use super::programs::position;
use tests::client::Client;

/// Control characters, characters that reorder text, other line separators, and noncharacters.
fn unsafe_chars() -> Vec<char> {
    let ranges = [
        0..=0x1f,
        0x7f..=0x9f,
        0x61c..=0x61c,
        0x200e..=0x200f,
        0x2028..=0x202e,
        0x2066..=0x2069,
        0xfdd0..=0xfdd0,
        0xfffe..=0xffff,
        0x1_fffe..=0x1_ffff,
    ];
    ranges
        .into_iter()
        .flatten()
        .filter_map(char::from_u32)
        .collect()
}

/// Returns a module with every character in names of packed functions, dtypes, attributes and strings.
fn module() -> String {
    let mut text =
        "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n".to_owned();
    let chars = unsafe_chars();
    let chars = chars.iter().filter(|c| !matches!(c, '\n' | '\r'));
    for (at, c) in chars.enumerate() {
        let _ = write!(
            text,
            r#"    @R.function(pure=False)
    def f{at}(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y: R.Tensor((2,), "float32") = R.call_packed("p{c}]0;##[group]<b>q", x, sinfo_args=R.Tensor((2,), "float32"))
        z: R.Tensor((2,), "float32") = R.add(y, x)
        return z

"#
        );
    }
    text
}

/// Returns a function for each character, with a mistake whose message holds it.
fn mistakes() -> String {
    let mut text = "from tvm.script import relax as R\n".to_owned();
    for (at, c) in unsafe_chars().into_iter().enumerate() {
        let quotes = if matches!(c, '\n' | '\r') {
            "\"\"\""
        } else {
            "\""
        };
        let _ = write!(
            text,
            "\n@R.function\ndef g{at}(x: R.Tensor((2,), {quotes}flo{c}  ::add-mask::##[add-mask]at32{quotes})):\n    return x\n"
        );
    }
    text
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(tests::relax_lsp());
    command.args(arguments).current_dir(folder);
    command.output().expect("relax-lsp starts")
}

fn printed(arguments: &[&str], folder: &Path) -> String {
    let output = run(arguments, folder);
    assert_shown(&output.stderr, arguments);
    assert!(!output.stdout.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Asserts that a text for people has no other control characters than line feeds and tabs.
#[track_caller]
fn assert_shown(text: &[u8], of: &[&str]) {
    let text = std::str::from_utf8(text).expect("output is UTF-8");
    let text = text.replace("\r\n", "\n");
    let all = unsafe_chars();
    let raw = |c: &char| all.contains(c) && !matches!(c, '\n' | '\t');
    if let Some(c) = text.chars().find(raw) {
        let line = text.lines().find(|line| line.contains(c));
        panic!("{of:?} prints {c:?} in {line:?}");
    }
    let is_command = |it: &&str| it.trim_start().starts_with("::") || it.contains("##[");
    assert_eq!(text.lines().find(is_command), None, "{of:?}");
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let module = module();
    write("module.py", &module);
    let strings = module.replace("R.call_packed(\"p", "R.str(\"p");
    let strings = strings.replace(", x, sinfo_args=R.Tensor((2,), \"float32\"))", ")");
    let strings = strings.replace("y: R.Tensor((2,), \"float32\") = R.str", "s = R.str");
    write("strings.py", &strings.replace("R.add(y, x)", "R.add(x, x)"));
    write("mistakes.py", &mistakes());
    std::fs::create_dir(folder.path().join("dumps")).unwrap();
    write("dumps/000_input.py", &module);
    let after = module.replace("R.add(y, x)", "R.multiply(y, x)  # <b>");
    write("dumps/001_Pass.py", &after);
    folder
}

const FOR_PEOPLE: &[&[&str]] = &[
    &["check", "mistakes.py"],
    &["check", "mistakes.py", "--statistics"],
    &["check", "module.py", "--verbose"],
    &["cost", "module.py"],
    &["lower", "strings.py", "--stage", "normalized"],
    &["lower", "strings.py", "--stage", "shape-lowered"],
    &["lower", "strings.py"],
    &["diff", "dumps/000_input.py", "dumps/001_Pass.py"],
    &["passes", "dumps"],
    &["passes", "dumps", "--run", "--function", "f1"],
    &["tree", "module.py"],
    &["migrate", "module.py", "--to", "0.27", "--diff"],
    &["graph", "module.py"],
    &["graph", "module.py", "--format", "html"],
    &[
        "diff",
        "dumps/000_input.py",
        "dumps/001_Pass.py",
        "--format",
        "html",
    ],
];

#[test]
fn text_for_people_has_pictures_of_control_characters() {
    let folder = folder();
    for arguments in FOR_PEOPLE {
        let mut text = printed(arguments, folder.path());
        if arguments.contains(&"--diff") {
            // A patch keeps form feeds, which separate the parts of some Python files.
            text = text.replace('\x0c', "");
        }
        assert_shown(text.as_bytes(), arguments);
    }
    let failed = run(&["run", "module.py::Module.f1"], folder.path());
    assert_shown(&failed.stderr, &["run"]);
    let colours = printed(
        &["check", "mistakes.py", "--color", "always"],
        folder.path(),
    );
    for sequence in colours.split('\x1b').skip(1) {
        let numbers = sequence.strip_prefix('[').and_then(|it| it.split_once('m'));
        let (numbers, _) = numbers.unwrap_or_else(|| panic!("{sequence:?} is no colour"));
        assert!(numbers.bytes().all(|it| it.is_ascii_digit() || it == b';'));
    }
}

const JSON: &[&[&str]] = &[
    &["check", "mistakes.py", "--format", "json"],
    &["check", "mistakes.py", "--format", "sarif"],
    &["check", "mistakes.py", "--format", "gitlab"],
    &["cost", "module.py", "--format", "json"],
    &["facts", "mistakes.py"],
    &["graph", "module.py", "--format", "model-explorer"],
    &["lower", "strings.py", "--format", "json"],
    &[
        "diff",
        "dumps/000_input.py",
        "dumps/001_Pass.py",
        "--format",
        "json",
    ],
    &["passes", "dumps", "--format", "json"],
    &["run", "module.py::Module.f1", "--format", "json"],
];

#[test]
fn json_escapes_control_characters() {
    let folder = folder();
    for arguments in JSON {
        let text = printed(arguments, folder.path());
        assert_shown(text.as_bytes(), arguments);
        let _: Value =
            serde_json::from_str(&text).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
    }
    let facts: Value = serde_json::from_str(&printed(JSON[4], folder.path())).unwrap();
    let messages = facts["diagnostics"].to_string();
    assert!(
        messages.contains("\u{202e}"),
        "what is escaped is the same text: {messages}"
    );
}

#[test]
fn junit_is_well_formed() {
    let folder = folder();
    let text = printed(
        &["check", "mistakes.py", "--format", "junit"],
        folder.path(),
    );
    assert_shown(text.as_bytes(), &["junit"]);
    let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(is_char), "XML 1.0 has no other characters");
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut errors = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(tag) if tag.name().as_ref() == "error" => errors += 1,
            _ => {}
        }
    }
    assert!(errors >= unsafe_chars().len(), "{errors}");
}

#[test]
fn a_message_is_one_command_of_github() {
    let folder = folder();
    let found = printed(&["check", "mistakes.py", "--format", "json"], folder.path());
    let found: Value = serde_json::from_str(&found).unwrap();
    let found = found[0]["diagnostics"].as_array().unwrap();
    let text = printed(
        &["check", "mistakes.py", "--format", "github"],
        folder.path(),
    );
    // The runner also reads a carriage return as the end of a line.
    let lines: Vec<&str> = text
        .trim_end()
        .split(['\n', '\r', '\u{85}', '\u{2028}'])
        .collect();
    assert_eq!(lines.len(), found.len());
    for line in lines {
        let of = line.split_once("file=").map(|it| it.0);
        assert!(matches!(of, Some("::error " | "::warning ")), "{line}");
    }
}

#[test]
fn dot_keeps_texts_in_their_quotes() {
    let folder = folder();
    let text = printed(&["graph", "module.py"], folder.path());
    let mut outside = String::new();
    let mut chars = text.chars();
    let mut is_quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if is_quoted => drop(chars.next()),
            '"' => is_quoted = !is_quoted,
            c if !is_quoted => outside.push(c),
            _ => {}
        }
    }
    assert!(!is_quoted);
    let words: BTreeSet<&str> = outside.split(|c: char| !c.is_ascii_alphabetic()).collect();
    assert!(
        !words.contains("b") && words.contains("digraph"),
        "{words:?}"
    );
    assert!(outside.is_ascii());
}

#[test]
fn pages_hold_no_elements_of_a_program() {
    let folder = folder();
    let html = &["graph", "module.py", "--format", "html"];
    let text = printed(html, folder.path());
    assert!(text.contains("&lt;b&gt;") && !text.contains("<b>"));
    let report = run(&["report", "dumps", "-o", "report.html"], folder.path());
    assert!(report.status.success(), "{report:?}");
    let report = std::fs::read(folder.path().join("report.html")).unwrap();
    // A file is no log.
    let report = String::from_utf8(report).unwrap().replace("##[", "");
    assert_shown(report.as_bytes(), &["report"]);
    assert!(report.contains("&lt;b&gt;") && !report.contains("<b>"));
}

#[test]
fn a_patch_of_a_usual_file_applies_and_others_say_that_they_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let usual = "from tvm.script import relax as R\r\n\x0c\r\n# \u{5e9}\u{5dc}\u{5d5}\u{5dd} 🙂\r\n@R.function\r\ndef f(x: R.Tensor((2,), \"float32\")) -> R.Object:\r\n    return x\r\n";
    std::fs::write(folder.path().join("usual.py"), usual).unwrap();
    let output = run(
        &["migrate", "usual.py", "--to", "0.27", "--diff"],
        folder.path(),
    );
    let patch = String::from_utf8(output.stdout).unwrap();
    assert!(
        patch.contains("-def f(x: R.Tensor((2,), \"float32\")) -> R.Object:\r\n"),
        "{patch}"
    );
    assert!(patch.contains("\n \x0c\r\n"), "{patch}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("picture"));

    let odd = usual.replace("# ", "# \x1b[8m");
    std::fs::write(folder.path().join("odd.py"), &odd).unwrap();
    let output = run(
        &["migrate", "odd.py", "--to", "0.27", "--diff"],
        folder.path(),
    );
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("does not apply"),
        "{output:?}"
    );
    // A program is not changed on its way into a file.
    let output = run(&["migrate", "odd.py", "--to", "0.27"], folder.path());
    assert!(String::from_utf8_lossy(&output.stdout).contains("# \x1b[8m"));
}

#[cfg(unix)]
#[test]
fn names_of_files_stay_in_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\x1b]0;x\x07\r\n::error::<b>\u{202e}`.py";
    std::fs::write(folder.path().join(name), mistakes()).unwrap();
    for arguments in [
        &["check", "."][..],
        &["check", ".", "--verbose"],
        &["check", ".", "--format", "json"],
        &["check", ".", "--format", "junit"],
        &["fmt", "--check", "."],
        &["migrate", "--to", "0.27", "--check", "."],
        &["migrate", "--to", "0.27", "--diff", "."],
        &["check", "missing\x1b]0;\n::error::x.py"],
        &["graph", name, "--format", "html"],
        &["diff", name, name],
    ] {
        let output = run(arguments, folder.path());
        assert_shown(&output.stdout, arguments);
        assert_shown(&output.stderr, arguments);
    }
    let github = run(&["check", ".", "--format", "github"], folder.path());
    let github = String::from_utf8(github.stdout).unwrap();
    assert!(
        !github.contains('\x1b') && !github.contains("\n::error::"),
        "{github}"
    );
}

/// Removes the code between backticks.
fn without_code(line: &str) -> String {
    let Some(at) = line.find('`') else {
        return line.to_owned();
    };
    let ticks = line.len() - at - line[at..].trim_start_matches('`').len();
    let rest = &line[at + ticks..];
    let closes = |it: &usize| {
        let run = &rest[*it..];
        let length = run.len() - run.trim_start_matches('`').len();
        length == ticks && !rest[..*it].ends_with('`')
    };
    let end = rest.match_indices('`').map(|it| it.0).find(closes);
    let end = end.unwrap_or_else(|| panic!("code has no end: {line}"));
    line[..at].to_owned() + &without_code(&rest[end + ticks..])
}

#[test]
fn a_hover_shows_no_links_of_a_program() {
    let text = "from tvm.script import relax as R\nN = \"x\\n```\\n![a](https://tracker.example/p.png) [c](command:evil)\\n\\n# d\\n\"\n@R.function(pure=False)\ndef main(x: R.Tensor((2,), \"float32\")):\n    y = R.call_packed(\"p\", x, sinfo_args=R.Tensor((N,), \"float32\"))\n    return y\n";
    let mut client = Client::plain();
    client.open("file:///fence.py", 1, text);
    client.diagnostics("file:///fence.py", 1);
    for name in ["y = ", "N,"] {
        let hover = client.call(
            "textDocument/hover",
            json!({"textDocument": {"uri": "file:///fence.py"}, "position": position(text, name)}),
        );
        let markdown = hover["contents"]["value"].as_str().expect("a hover");
        let mut outside = String::new();
        let mut fence: Option<&str> = None;
        for line in markdown.lines() {
            let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
            match fence {
                None if ticks.len() >= 3 => fence = Some(ticks),
                None => outside.push_str(&without_code(line)),
                Some(open) if ticks.len() >= open.len() && ticks == line => fence = None,
                Some(_) => {}
            }
        }
        assert_eq!(fence, None, "{markdown}");
        assert!(
            !outside.contains("](") && !outside.contains("# d"),
            "{markdown}"
        );
    }
}
