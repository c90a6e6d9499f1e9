//! The help of the program: its subcommands by what people want.

use std::fmt::Write;

const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{after-help}\n\nOptions:\n{options}";

/// Each subcommand that the help shows stands in one group.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "My model: where does it come from, is it right, what does it cost?",
        &["record", "origin", "verify", "cost", "graph"],
    ),
    (
        "My passes: what did they change, which one is wrong?",
        &["passes", "report", "diff", "reduce"],
    ),
    (
        "A file: is it well-formed, what does it compute?",
        &["check", "explain", "run", "fmt", "facts", "lower", "tree"],
    ),
    ("Another release of TVM", &["migrate", "translate"]),
    (
        "Editors, agents, shells",
        &[
            "lsp",
            "dap",
            "mcp",
            "playground",
            "doctor",
            "completions",
            "man",
        ],
    ),
];

/// Replaces the list of subcommands by a list in groups.
pub fn in_groups(command: clap::Command) -> clap::Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{header}{title}{header:#}");
        for name in *names {
            let found = command.find_subcommand(name);
            let about = found.and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name:11}{literal:#}  {about}");
        }
        text.push('\n');
    }
    text.push_str("`relax-lsp help COMMAND` describes a command and its options.");
    command.help_template(TEMPLATE).after_help(text)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{GROUPS, in_groups};
    use crate::cli::Arguments;

    #[test]
    fn each_subcommand_stands_in_one_group() {
        let command = Arguments::command();
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        let mut shown: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|it| it.1).copied().collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
    }

    #[test]
    fn the_help_fits_into_80_columns() {
        let mut command = in_groups(Arguments::command()).term_width(80);
        let help = command.render_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
