//! `relax.follow`: follows the binding at a position to the next or the previous stage of a compilation.

use ide::follow::{Direction, follow};
use lsp_types::{Position, Uri};
use serde::Deserialize;
use serde_json::{Value, json};

use super::diff::place;
use crate::compilation::neighbours::neighbours;
use crate::line_index::Lines;
use crate::session::{Refusal, Survey};
use crate::uri;

#[derive(Debug, Deserialize)]
pub struct FollowArguments {
    pub uri: Uri,
    pub position: Position,
    /// `true` to follow the value to the previous stage.
    #[serde(default)]
    pub back: bool,
    /// The module to follow the value into. If missing, the next or the previous dump in the folder.
    #[serde(default)]
    pub to: Option<Uri>,
}

pub fn answer(survey: Survey, arguments: FollowArguments) -> Result<Value, Refusal> {
    let path = |uri: &Uri| {
        let why = || Refusal::Impossible(format!("`{}` is not a file", uri.as_str()));
        uri::path(uri).ok_or_else(why)
    };
    let direction = if arguments.back {
        Direction::Back
    } else {
        Direction::Forward
    };
    let own = path(&arguments.uri)?;
    let to = arguments.to.as_ref().map(path).transpose()?;
    let found = neighbours(&own, to.as_deref(), direction, &survey.files());
    let found = found.map_err(|error| Refusal::Impossible(format!("{error:#}")))?;
    let other = arguments.to.or_else(|| uri::of_path(&found.path));
    let other = other.ok_or(Refusal::Failed)?;
    let lines = |text: &ide::Text| Lines::new(text.clone(), survey.client.encoding);
    let from = (arguments.uri, lines(&found.own.text));
    let to = (other, lines(&found.other.text));
    let offset = from.1.offset(arguments.position);
    let followed = follow(&found.own, &found.other, offset, direction);
    let nothing =
        || Refusal::Impossible("there is no binding or function at this position".to_owned());
    let followed = followed.ok_or_else(nothing)?;
    let places = followed.successors.iter().map(|it| {
        let mut place = place(&it.place, &to);
        place["relation"] = json!(it.relation);
        place["function"] = json!(it.function);
        place["parts"] = json!(it.parts);
        place
    });
    let mut origin = place(&followed.origin, &from);
    origin["function"] = json!(followed.function);
    Ok(json!({
        "origin": origin,
        "stage": to.0,
        "places": places.collect::<Vec<_>>(),
    }))
}
