//! Answers of completion.

use ide::{Completion, Completions, SourceEdit};

use super::Answer;
use crate::cases::program::{Opened, Program};

/// How many items are shown if the case does not say it.
const SHOWN: usize = 8;

fn completions(opened: &Opened) -> Result<Option<Completions>, String> {
    Ok(opened
        .analysis
        .completions(opened.position()?, None)
        .unwrap())
}

/// Shows the first items, each with its detail.
pub fn first(program: &Program, count: &[String]) -> Result<Answer, String> {
    let count = count.first().map_or(Ok(SHOWN), |it| it.parse());
    let count = count.map_err(|_| "the count is no number".to_owned())?;
    let found = completions(&program.open())?;
    let items = found.iter().flat_map(|it| &it.items).take(count);
    let lines = items.map(|item| match &item.detail {
        Some(detail) => format!("{}  {detail}\n", item.label),
        None => format!("{}\n", item.label),
    });
    Ok(Answer::Text(lines.collect()))
}

/// Says of each item whether it is offered.
pub fn offers(program: &Program, items: &[String]) -> Result<Answer, String> {
    let found = completions(&program.open())?;
    let labels = found.iter().flat_map(|it| &it.items).map(|it| &*it.label);
    let labels: Vec<&str> = labels.collect();
    let lines = items.iter().map(|it| {
        let label = it.strip_prefix("not ").unwrap_or(it);
        let word = if labels.contains(&label) { "" } else { "not " };
        format!("{word}{label}\n")
    });
    Ok(Answer::Text(lines.collect()))
}

/// Sorts items as they are offered.
pub fn order(program: &Program, items: &[String]) -> Result<Answer, String> {
    let found = completions(&program.open())?.ok_or("nothing is offered")?;
    let place = |label: &String| found.items.iter().position(|it| it.label == *label);
    if let Some(missing) = items.iter().find(|it| place(it).is_none()) {
        return Err(format!("`{missing}` is not offered"));
    }
    let mut items = items.to_vec();
    items.sort_by_key(place);
    Ok(Answer::Text(items.join("\n")))
}

/// Returns the completions, and the item with a label.
fn item(opened: &Opened, label: &[String]) -> Result<(Completions, Completion), String> {
    let label = label.join(" ");
    let found = completions(opened)?.ok_or("nothing is offered")?;
    let item = found.items.iter().find(|item| item.label == label);
    let item = item
        .ok_or_else(|| format!("`{label}` is not offered"))?
        .clone();
    Ok((found, item))
}

/// Shows the line of the cursor after an item is taken.
pub fn taken(program: &Program, label: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let (found, item) = item(&opened, label)?;
    let text = SourceEdit::replace(found.replace, &*item.text).apply(&opened.text);
    let at = usize::from(found.replace.start());
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = at + item.text.len();
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    Ok(Answer::Text(text[start..end].trim_start().to_owned()))
}

/// Shows the file after an item is taken that is imported with it.
pub fn imported(program: &Program, label: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let (found, item) = item(&opened, label)?;
    let import = item.import.clone().unwrap_or_default();
    let both = SourceEdit::replace(found.replace, &*item.text).and_all_if_apart(import.clone());
    if both.replacements().len() != 1 + import.replacements().len() {
        return Err("the import overlaps the item".to_owned());
    }
    Ok(Answer::File(both.apply(&opened.text), Vec::new()))
}
