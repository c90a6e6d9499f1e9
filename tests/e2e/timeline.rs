//! Tests of the commands about compilations: `relax.passes`, `relax.diff` and `relax.follow`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::programs::{DOUBLE, position};
use tests::client::Client;

fn fixture(model: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/passes")
        .join(model)
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("UTF-8"))
}

fn command(client: &mut Client, name: &str, argument: &Value) -> Value {
    let params = json!({"command": name, "arguments": [argument]});
    client.call("workspace/executeCommand", params)
}

/// Returns the last part of a URI.
fn file(uri: &Value) -> &str {
    let uri = uri.as_str().expect("a URI");
    uri.rsplit('/').next().unwrap_or(uri)
}

#[test]
fn the_page_of_a_compilation_links_lines_to_their_stages() {
    let mut client = Client::plain();
    let folder = uri(&fixture("mlp"));
    let answer = command(
        &mut client,
        "relax.passes",
        &json!({"uri": folder, "page": true}),
    );
    let page = answer["page"].as_str().expect("a page");
    let text = std::fs::read_to_string(fixture("mlp").join("003_FuseOps.py")).unwrap();
    let call = "cls.fused_matmul_add_relu(";
    let line = 1 + text.lines().position(|it| it.contains(call)).unwrap();
    let link = format!("<a href=\"#after-3-{line}\">{line}</a>");
    let row = page.lines().find(|it| it.contains(&link));
    assert!(row.is_some_and(|it| it.contains(call)), "{link}");
}

#[test]
fn the_stages_of_a_folder_are_nested_and_say_what_changed() {
    let mut client = Client::plain();
    let folder = uri(&fixture("mlp"));
    let answer = command(&mut client, "relax.passes", &json!({"uri": folder}));
    let stages = answer["stages"].as_array().expect("a list");
    assert_eq!(stages.len(), 28);
    assert_eq!(answer["firstIllFormed"], Value::Null);
    let stage = |at: usize| &stages[at];
    assert_eq!(file(&stage(3)["uri"]), "003_FuseOps.py");
    assert_eq!(stage(3)["pass"], "FuseOps");
    assert_eq!(
        (&stage(3)["parent"], &stage(3)["before"]),
        (&json!(14), &json!(2))
    );
    assert_eq!(stage(2)["unchanged"], true);
    assert_eq!(stage(23)["partial"], true);
    assert_eq!(stage(19)["plannedBytes"], "batch * 552 + 406528");
    let changed = stage(3)["changed"].as_array().expect("a list");
    let forward = &changed[0];
    assert_eq!(forward["outcome"], "changed");
    assert_eq!(forward["after"]["name"], "forward");
    let text = std::fs::read_to_string(fixture("mlp").join("003_FuseOps.py")).unwrap();
    assert_eq!(
        forward["after"]["range"]["start"],
        position(&text, "forward(")
    );
}

#[test]
fn the_stages_of_a_folder_that_is_not_on_disk_are_its_open_documents() {
    let mut client = Client::plain();
    let other = DOUBLE.replace("R.add(x, x)", "R.subtract(x, x)");
    let documents = [
        ("sample/10_C.py", &*other),
        ("sample/1_A.py", DOUBLE),
        ("sample/2_B.py", DOUBLE),
        ("sample/deeper/3_D.py", DOUBLE),
        ("samples/4_E.py", DOUBLE),
    ];
    for (path, text) in documents {
        let uri = format!("untitled:{path}");
        client.open(&uri, 1, text);
        assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
    }
    let argument = json!({"uri": "untitled:sample", "run": {"dims": {"n": 3}}});
    let answer = command(&mut client, "relax.passes", &argument);
    let uris = answer["stages"].as_array().expect("a list").iter();
    let uris: Vec<&str> = uris.map(|it| it["uri"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        ["1_A", "2_B", "10_C"].map(|name| format!("untitled:sample/{name}.py"))
    );
    assert_eq!(answer["stages"][1]["unchanged"], true);
    assert_eq!(answer["run"]["firstDifference"]["stage"], 2);
    let sides = json!({"before": uris[1], "after": uris[2]});
    let difference = command(&mut client, "relax.diff", &sides);
    assert_eq!(difference["equal"], false);

    let nowhere = json!({"command": "relax.passes", "arguments": [{"uri": "untitled:else"}]});
    let refusal = client.refused("workspace/executeCommand", nowhere);
    let why = refusal["message"].as_str().expect("a text");
    assert!(why.contains("no document in it is open"), "{why}");
}

#[test]
fn stages_are_sent_as_they_are_read() {
    let mut client = Client::plain();
    let folder = uri(&fixture("mlp"));
    let whole = command(&mut client, "relax.passes", &json!({"uri": folder}));
    let argument = json!({"uri": folder, "partialResultToken": "parts"});
    let answer = command(&mut client, "relax.passes", &argument);
    assert_eq!(answer["stages"], json!([]));
    let is_last = |it: &Value| it["params"]["value"]["at"] == 27;
    assert!(client.has(is_last), "no answer overtakes its parts");
    let mut part = || {
        let part = client.notification("$/progress");
        assert_eq!(part["token"], "parts");
        part["value"].clone()
    };
    let parts: Vec<Value> = (0..29).map(|_| part()).collect();
    let planned = parts[0]["stages"].as_array().expect("a list");
    assert_eq!(planned.len(), 28);
    assert!(planned.iter().all(|it| it["unread"] == true));
    assert_eq!(planned[3]["parent"], 14);
    let read: Vec<&Value> = parts[1..].iter().map(|it| &it["stages"][0]).collect();
    assert_eq!(json!(read), whole["stages"]);
}

#[test]
fn stages_run_and_the_first_difference_is_located() {
    let folder = tempfile::tempdir().unwrap();
    let other = DOUBLE.replace("R.add(x, x)", "R.subtract(x, x)");
    for (name, text) in [("0_A.py", DOUBLE), ("1_B.py", DOUBLE), ("2_C.py", &other)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut client = Client::plain();
    let argument = json!({"uri": uri(folder.path()), "run": {"dims": {"n": 3}}});
    let run = &command(&mut client, "relax.passes", &argument)["run"];
    let same = json!({"ran": true, "same": true});
    let differs = json!({"ran": true, "same": false});
    assert_eq!(run["stages"], json!([same, same, differs]));
    let first = &run["firstDifference"];
    assert_eq!((&first["stage"], &first["before"]), (&json!(2), &json!(1)));
    let range = &first["binding"]["range"];
    assert_eq!(
        range["start"]["line"],
        position(&other, "R.subtract")["line"]
    );
}

#[test]
fn an_ill_formed_stage_is_named_with_its_mistake() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("0_A.py"), DOUBLE).unwrap();
    let broken = DOUBLE.replace("R.add(x, x)", "R.add(x, nowhere)");
    std::fs::write(folder.path().join("1_B.py"), &broken).unwrap();
    let mut client = Client::plain();
    let argument = json!({"uri": uri(folder.path())});
    let answer = command(&mut client, "relax.passes", &argument);
    assert_eq!(answer["firstIllFormed"], 1);
    let error = &answer["stages"][1]["errors"][0];
    assert_eq!(error["code"], "undefined-name");
    assert_eq!(error["range"]["start"], position(&broken, "nowhere"));
}

#[test]
fn two_modules_differ_at_locations_of_the_editors_texts() {
    let folder = tempfile::tempdir().unwrap();
    let before = folder.path().join("before.py");
    std::fs::write(&before, DOUBLE).unwrap();
    let (before, after) = (uri(&before), "untitled:after.py");
    let mut client = Client::plain();
    let text = DOUBLE.replace("R.add(x, x)", "R.multiply(x, x)");
    client.open(after, 1, &text);
    client.diagnostics(after, 1);
    let argument = json!({"before": before, "after": after});
    let answer = command(&mut client, "relax.diff", &argument);
    assert_eq!(answer["equal"], false);
    let change = &answer["functions"][0]["changes"][0];
    assert_eq!(change["parts"], json!(["operator"]));
    assert_eq!(change["before"]["location"]["uri"], before.as_str());
    assert_eq!(change["after"]["location"]["uri"], after);
    let start = &change["after"]["location"]["range"]["start"];
    assert_eq!(*start, position(&text, "y = R.multiply"));
    let shown = answer["text"].as_str().expect("a text");
    assert!(shown.contains("binding y: operator"), "{shown}");

    let argument = json!({"before": before, "after": before, "function": "main"});
    let answer = command(&mut client, "relax.diff", &argument);
    assert_eq!(answer["equal"], true);
    let argument = json!({"before": before, "after": after, "function": "nothing"});
    let params = json!({"command": "relax.diff", "arguments": [argument]});
    let refused = client.refused("workspace/executeCommand", params);
    let message = refused["message"].as_str().expect("a text");
    assert!(message.contains("has no function `nothing`"), "{message}");
}

/// Follows the value that `at` binds in a dump of a convolutional network.
fn check_follow(dump: &str, at: &str, back: bool, expect: &Expect) {
    let path = fixture("convnet").join(dump);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut client = Client::plain();
    let argument = json!({"uri": uri(&path), "position": position(&text, at), "back": back});
    let answer = command(&mut client, "relax.follow", &argument);
    let mut shown = format!("{}\n", file(&answer["stage"]));
    for place in answer["places"].as_array().expect("a list") {
        assert_eq!(place["location"]["uri"], answer["stage"]);
        let line = place["text"].as_str().expect("a text");
        let line: String = line.chars().take(64).collect();
        let words = [&place["relation"], &place["function"]].map(|it| it.as_str().unwrap());
        let _ = writeln!(shown, "{}: {}", words.join(" "), line.trim_end());
    }
    expect.assert_eq(&shown);
}

#[test]
fn values_are_followed_through_fusion_and_planning() {
    check_follow(
        "002_FoldConstant.py",
        "conv2d = R.call_tir",
        false,
        &expect![[r#"
        003_FuseOps.py
        part of forward: lv: R.Tensor((batch, 16, 32, 32), dtype="float32") = cls.fused_c
        fused into fused_conv2d_add_relu: conv2d = R.call_tir(cls.add, (lv, lv1), out_ty=R.Tensor((batch,
    "#]],
    );
    check_follow(
        "010_RemoveUnusedParameters.py",
        "conv2d = R.call_tir(cls.add",
        false,
        &expect![[r#"
        011_FuseTIRInner.py
        fused into fused_conv2d_add_relu: def fused_conv2d_add_relu(x: T.Buffer((batch, T.int64(3), T.int6
        part of forward: lv = R.call_tir(cls.fused_conv2d_add_relu, (x, c1_weight, lv1),
    "#]],
    );
    check_follow(
        "017_RemovePurityChecking.py",
        "lv = R.call_tir",
        false,
        &expect![[r#"
        018_CallTIRRewrite.py
        changed forward: lv: R.Tensor((batch, 16, 32, 32), dtype="float32") = alloc
        written by forward: cls.fused_conv2d_add_relu(x, c1_weight, lv1, alloc)
    "#]],
    );
    check_follow(
        "018_CallTIRRewrite.py",
        "lv: R.Tensor",
        false,
        &expect![[r#"
        019_StaticPlanBlockMemory.py
        unchanged forward: lv: R.Tensor((batch, 16, 32, 32), dtype="float32") = alloc
        written by forward: cls.fused_conv2d_add_relu(x, c1_weight, lv1, alloc)
        planned in forward: storage: R.Any = R.memory.alloc_storage(R.shape([65536 * batch])
    "#]],
    );
    check_follow(
        "020_LowerAllocTensor.py",
        "lv: R.Tensor",
        false,
        &expect![[r#"
        021_KillAfterLastUse.py
        changed forward: alloc: R.Tensor((batch, 16, 32, 32), dtype="float32") = R.memory
        written by forward: cls.fused_conv2d_add_relu(x, c1_weight, lv1, alloc)
        planned in forward: storage: R.Any = R.memory.alloc_storage(R.shape([65536 * batch])
    "#]],
    );
    check_follow(
        "003_FuseOps.py",
        "lv: R.Tensor",
        true,
        &expect![[r#"
        002_FoldConstant.py
        changed forward: relu = R.call_tir(cls.relu, (conv2d,), out_ty=R.Tensor((batch, 1
        from forward: lv = R.call_tir(cls.conv2d, (x, c1_weight), out_ty=R.Tensor((bat
        from forward: conv2d = R.call_tir(cls.add, (lv, lv1), out_ty=R.Tensor((batch,
    "#]],
    );
    check_follow(
        "003_FuseOps.py",
        "conv2d = R.call_tir(cls.add",
        true,
        &expect![[r#"
        002_FoldConstant.py
        from forward: conv2d = R.call_tir(cls.add, (lv, lv1), out_ty=R.Tensor((batch,
        part of forward: relu = R.call_tir(cls.relu, (conv2d,), out_ty=R.Tensor((batch, 1
    "#]],
    );
    check_follow(
        "011_FuseTIRInner.py",
        "lv = R.call_tir(cls.fused",
        true,
        &expect![[r#"
        010_RemoveUnusedParameters.py
        changed forward: lv: R.Tensor((batch, 16, 32, 32), dtype="float32") = cls.fused_c
        calls fused_conv2d_add_relu: def fused_conv2d_add_relu(x: R.Tensor((batch, 3, 32, 32), dtype=
    "#]],
    );
    // The dump in the middle contains only a part of the module.
    check_follow(
        "022_LowerRuntimeBuiltin.py",
        "alloc: R.Tensor",
        false,
        &expect![[r#"
        024_ComputePrimValue.py
        unchanged forward: alloc: R.Tensor((batch, 16, 32, 32), dtype="float32") = R.vm.all
        written by forward: cls.fused_conv2d_add_relu(x, c1_weight, lv1, alloc)
        planned in forward: storage: R.Any = R.vm.alloc_storage(R.shape([65536 * batch]), 0,
    "#]],
    );
}

#[test]
fn the_last_stage_is_marked() {
    let path = fixture("mlp").join("027_sequential.py");
    let argument = json!({"uri": uri(&path), "position": {"line": 0, "character": 0}});
    let params = json!({"command": "relax.follow", "arguments": [argument]});
    let refused = Client::plain().refused("workspace/executeCommand", params);
    assert_eq!(refused["message"], "`027_sequential` is the last stage");
}
