//! The table of snippets: larger pieces of TVMScript with placeholders.

use relax::release::{Release, Releases};
use relax::script::Namespace;

use super::Site;
use super::item::{Completion, CompletionKind, Items, rank};

/// Where a snippet may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    File,
    Module,
    Relax,
    PrimFunc,
}

struct Snippet {
    label: &'static str,
    regions: &'static [Region],
    releases: Releases,
    /// The text. `R.`, `T.` and `I.` are replaced with the file's own names.
    text: &'static str,
    doc: &'static str,
}

const RFC: Releases = Releases::only(Release::Rfc);
const TIR: Releases = Releases::until(Release::V0_23);
const TIRX: Releases = Releases::since(Release::V0_24);
const FILE: &[Region] = &[Region::File];
const ANYWHERE: &[Region] = &[Region::File, Region::Module];
const RELAX: &[Region] = &[Region::Relax];
const PRIM: &[Region] = &[Region::PrimFunc];

#[rustfmt::skip]
const SNIPPETS: &[Snippet] = &[
    Snippet { label: "ir_module", regions: FILE, releases: Releases::ALL,
        doc: "A module with one function.",
        text: "@I.ir_module\nclass ${1:Module}:\n    @R.function\n    def ${2:main}(${3:x}: R.Tensor((${4:\"n\"},), \"float32\")):\n        $0\n        return ${3:x}" },
    Snippet { label: "relax function", regions: ANYWHERE, releases: RFC,
        doc: "A function of the graph.",
        text: "@R.function\ndef ${1:main}(${2:x}: R.Tensor[(${3:n},), \"float32\"]):\n    with R.dataflow():\n        ${4:gv} = $0\n        R.outputs(${4:gv})\n    return ${4:gv}" },
    Snippet { label: "relax function", regions: ANYWHERE, releases: Releases::since(Release::Unity),
        doc: "A function of the graph.",
        text: "@R.function\ndef ${1:main}(${2:x}: R.Tensor((${3:\"n\"},), \"float32\")):\n    with R.dataflow():\n        ${4:gv} = $0\n        R.output(${4:gv})\n    return ${4:gv}" },
    Snippet { label: "prim_func", regions: ANYWHERE, releases: TIR,
        doc: "A function of loops over buffers.",
        text: "@T.prim_func\ndef ${1:kernel}(${2:A}: T.Buffer((${3:16},), \"float32\"), ${4:B}: T.Buffer((${3:16},), \"float32\")):\n    for ${5:i} in T.serial(${3:16}):\n        with T.block(\"${4:B}\"):\n            v${5:i} = T.axis.spatial(${3:16}, ${5:i})\n            ${4:B}[v${5:i}] = ${2:A}[v${5:i}]$0" },
    Snippet { label: "prim_func", regions: ANYWHERE, releases: Releases::only(Release::V0_24),
        doc: "A function of loops over buffers.",
        text: "@T.prim_func\ndef ${1:kernel}(${2:A}: T.Buffer((${3:16},), \"float32\"), ${4:B}: T.Buffer((${3:16},), \"float32\")):\n    for ${5:i} in T.serial(${3:16}):\n        with T.sblock(\"${4:B}\"):\n            v${5:i} = T.axis.spatial(${3:16}, ${5:i})\n            ${4:B}[v${5:i}] = ${2:A}[v${5:i}]$0" },
    Snippet { label: "prim_func", regions: ANYWHERE, releases: Releases::since(Release::V0_25),
        doc: "A function of loops over buffers.",
        text: "@T.prim_func(s_tir=True)\ndef ${1:kernel}(${2:A}: T.Buffer((${3:16},), \"float32\"), ${4:B}: T.Buffer((${3:16},), \"float32\")):\n    for ${5:i} in T.serial(${3:16}):\n        with T.sblock(\"${4:B}\"):\n            v${5:i} = T.axis.spatial(${3:16}, ${5:i})\n            ${4:B}[v${5:i}] = ${2:A}[v${5:i}]$0" },
    Snippet { label: "dataflow block", regions: RELAX, releases: RFC,
        doc: "A block of pure bindings without control flow.",
        text: "with R.dataflow():\n    ${1:gv} = $0\n    R.outputs(${1:gv})" },
    Snippet { label: "dataflow block", regions: RELAX, releases: Releases::since(Release::Unity),
        doc: "A block of pure bindings without control flow.",
        text: "with R.dataflow():\n    ${1:gv} = $0\n    R.output(${1:gv})" },
    Snippet { label: "match_cast", regions: RELAX, releases: Releases::since(Release::Unity),
        doc: "Binds shape variables to the shape that a value has at run time.",
        text: "${1:y} = R.match_cast(${2:x}, R.Tensor((${3:\"n\"},), \"${4:float32}\"))$0" },
    Snippet { label: "match_shape", regions: RELAX, releases: RFC,
        doc: "Binds shape variables to the shape that a value has at run time.",
        text: "${1:y} = R.match_shape(${2:x}, (${3:n},))$0" },
    Snippet { label: "call_tir", regions: RELAX, releases: Releases::between(Release::Unity, Release::V0_25),
        doc: "Calls a PrimFunc of the module.",
        text: "${1:y} = R.call_tir(cls.${2:func}, (${3:x},), out_sinfo=R.Tensor((${4:n},), \"${5:float32}\"))$0" },
    Snippet { label: "call_tir", regions: RELAX, releases: Releases::since(Release::V0_26),
        doc: "Calls a PrimFunc of the module.",
        text: "${1:y} = R.call_tir(cls.${2:func}, (${3:x},), out_ty=R.Tensor((${4:n},), \"${5:float32}\"))$0" },
    Snippet { label: "call_tir", regions: RELAX, releases: RFC,
        doc: "Calls a PrimFunc of the module.",
        text: "${1:y} = R.call_tir(${2:func}, (${3:x},), (${4:n},), dtype=\"${5:float32}\")$0" },
    Snippet { label: "if else", regions: RELAX, releases: Releases::ALL,
        doc: "One of two values; both branches bind the same variable.",
        text: "if ${1:cond}:\n    ${2:y} = $3\nelse:\n    ${2:y} = $0" },
    Snippet { label: "func_attr", regions: RELAX, releases: Releases::ALL,
        doc: "Attributes of the function.",
        text: "R.func_attr({\"${1:num_input}\": ${2:1}})$0" },
    Snippet { label: "func_attr", regions: PRIM, releases: TIR,
        doc: "Attributes of the function.",
        text: "T.func_attr({\"${1:tir.noalias}\": ${2:True}})$0" },
    Snippet { label: "func_attr", regions: PRIM, releases: TIRX,
        doc: "Attributes of the function.",
        text: "T.func_attr({\"${1:tirx.noalias}\": ${2:True}})$0" },
    Snippet { label: "block", regions: PRIM, releases: TIR,
        doc: "Loops around a block of axes.",
        text: "for ${1:i}, ${2:j} in T.grid(${3:16}, ${4:16}):\n    with T.block(\"${5:block}\"):\n        v${1:i}, v${2:j} = T.axis.remap(\"SS\", [${1:i}, ${2:j}])\n        $0" },
    Snippet { label: "block", regions: PRIM, releases: TIRX,
        doc: "Loops around a block of axes.",
        text: "for ${1:i}, ${2:j} in T.grid(${3:16}, ${4:16}):\n    with T.sblock(\"${5:block}\"):\n        v${1:i}, v${2:j} = T.axis.remap(\"SS\", [${1:i}, ${2:j}])\n        $0" },
    Snippet { label: "init", regions: PRIM, releases: Releases::ALL,
        doc: "The initialization of a reduction.",
        text: "with T.init():\n    ${1:B}[${2:vi}] = ${3:T.float32(0)}$0" },
];

impl Site<'_, '_> {
    pub(super) fn snippets(self, region: Region, items: &mut Items) {
        let scope = self.scope;
        let alias = |namespace| format!("{}.", scope.alias(namespace));
        let (relax, tir, ir) = (
            alias(Namespace::Relax),
            alias(Namespace::Tir),
            alias(Namespace::Ir),
        );
        let rows = SNIPPETS.iter().filter(|snippet| {
            snippet.regions.contains(&region) && snippet.releases.contains(scope.release())
        });
        for snippet in rows {
            let mut text = snippet.text.to_owned();
            for (letter, alias) in [("R.", &relax), ("T.", &tir), ("I.", &ir)] {
                if letter != alias {
                    text = text.replace(letter, alias);
                }
            }
            items.push(
                Completion::new(snippet.label, CompletionKind::Snippet)
                    .snippet(text)
                    .detail(snippet.doc)
                    .rank(rank::SNIPPET),
            );
        }
        if region == Region::Relax {
            items.push(
                Completion::new("return", CompletionKind::Statement)
                    .text("return ")
                    .detail("The result of the function; always its last statement.")
                    .rank(rank::SNIPPET),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use relax::release::Release;

    use super::{Region, SNIPPETS};
    use crate::{Analysis, Config};

    /// Fills the placeholders of a snippet with their defaults.
    fn filled(snippet: &str) -> String {
        let mut text = String::new();
        let mut rest = snippet;
        while let Some((before, after)) = rest.split_once('$') {
            text.push_str(before);
            let (place, after) = match after.strip_prefix('{') {
                Some(after) => after.split_once('}').unwrap_or((after, "")),
                None => after.split_at(1),
            };
            text.push_str(place.split_once(':').map_or("x", |it| it.1));
            rest = after;
        }
        text + rest
    }

    #[test]
    fn every_snippet_parses_in_its_release() {
        let mut complaints = Vec::new();
        for release in Release::ALL {
            for snippet in SNIPPETS.iter().filter(|it| it.releases.contains(release)) {
                let text = filled(snippet.text);
                let inside = |head: &str| format!("{head}{}", text.replace('\n', "\n    "));
                let text = match snippet.regions {
                    [Region::Relax] => inside("@R.function\ndef f(x: R.Object):\n    "),
                    [Region::PrimFunc] if release.declares_blocks() => {
                        inside("@T.prim_func(s_tir=True)\ndef f():\n    ")
                    }
                    [Region::PrimFunc] => inside("@T.prim_func\ndef f():\n    "),
                    _ => text,
                };
                let config = Config {
                    target: Some(release),
                };
                let (analysis, file) = Analysis::from_single_file(text.as_str(), config);
                let found = analysis.diagnostics(file).unwrap();
                let foreign = found.iter().filter(|it| it.code == "other-dialect");
                let foreign = foreign.filter(|it| !it.message.contains("R.Object"));
                complaints.extend(
                    foreign
                        .map(|it| format!("{} {}: {}", release.name(), snippet.label, it.message)),
                );
            }
        }
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}
