//! The page's files. `npm run playground` generates them from `editors/vscode/playground`. They are committed, so that
//! Cargo alone can build this program.

/// Name, content type and content.
type Asset = (&'static str, &'static str, &'static [u8]);

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! asset {
    ($name:literal, $kind:ident) => {
        (
            $name,
            $kind,
            include_bytes!(concat!("../../assets/playground/", $name)),
        )
    };
}

const ASSETS: &[Asset] = &[
    asset!("index.html", HTML),
    asset!("playground.js", SCRIPT),
    asset!("playground.css", STYLE),
    asset!("theme.css", STYLE),
    asset!("frame.html", HTML),
    asset!("frame.js", SCRIPT),
    asset!("panel.js", SCRIPT),
    asset!("panel.css", STYLE),
    asset!("graph.js", SCRIPT),
    asset!("graph.css", STYLE),
    asset!("passes.json", JSON),
    asset!("icon.svg", PICTURE),
    asset!("licences.txt", TEXT),
];

/// Returns the content type and the content of a file.
pub fn find(name: &str) -> Option<(&'static str, &'static [u8])> {
    let (_, kind, bytes) = ASSETS.iter().find(|(it, _, _)| *it == name)?;
    Some((kind, bytes))
}
