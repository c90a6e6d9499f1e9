//! Tests of `relax-lsp run --trace`: as text, as JSON, as a timeline.

use serde_json::Value;

use super::programs::DOUBLE;
use super::run_cli::Place;

#[test]
fn a_trace_has_a_line_for_each_binding() {
    let output = Place::new(DOUBLE).run(&["m.py", "--dim", "n=1", "--trace"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().next().unwrap();
    assert!(
        line.starts_with("   10  y = relax.add ") && line.contains(" f32[1, 4] "),
        "{text}"
    );
}

#[test]
fn a_json_trace_has_values_times_and_the_first_nan() {
    let program = DOUBLE.replace("R.add(x, x)", "R.log(R.subtract(R.negative(x), x))");
    let place = Place::new(&program);
    let answer = place.json(&["m.py", "--dim", "n=1", "--input", "x=ones", "--trace"]);
    let trace = &answer["trace"];
    let binding = &trace["bindings"][0];
    assert_eq!(
        (&binding["function"], &binding["name"], &binding["callee"]),
        (&"main".into(), &"y".into(), &"relax.log".into())
    );
    assert_eq!(
        (&binding["line"], &binding["col"]),
        (&10.into(), &17.into())
    );
    assert_eq!(binding["value"]["nan"], 4);
    assert_eq!(binding["value"]["first"][0], "nan");
    assert_eq!(
        (&trace["firstNan"]["name"], &trace["firstNan"]["count"]),
        (&"y".into(), &4.into())
    );
    assert_eq!(trace["profile"][0]["calls"], 1);
    assert!(trace["memory"]["peak"].as_u64() >= trace["memory"]["inputs"].as_u64());
}

#[test]
fn a_trace_is_a_timeline_for_perfetto() {
    let twice = DOUBLE.replace("R.output(y)", "z = R.exp(y)\n            R.output(y, z)");
    let place = Place::new(&twice);
    let output = place.run(&["m.py", "--trace", "--format", "perfetto"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let events = answer["traceEvents"].as_array().unwrap();
    let slices: Vec<&Value> = events.iter().filter(|it| it["ph"] == "X").collect();
    let names: Vec<&Value> = slices.iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["relax.add", "relax.exp"]);
    assert_eq!(slices[1]["args"]["place"], "m.py:11");
    let end = slices[0]["ts"].as_f64().unwrap() + slices[0]["dur"].as_f64().unwrap();
    assert!(end <= slices[1]["ts"].as_f64().unwrap(), "{answer}");
    let without = place.run(&["m.py", "--format", "perfetto"]);
    assert_eq!(without.status.code(), Some(2), "{without:?}");
}

#[test]
fn a_failing_run_keeps_its_trace() {
    let program = DOUBLE
        .replace(
            "R.output(y)",
            "z = R.reshape(y, (2, 4))\n            R.output(z)",
        )
        .replace("return y", "return z")
        .replace(" -> R.Tensor((\"n\", 4), \"float32\")", "");
    let output = Place::new(&program).run(&["m.py", "--dim", "n=3", "--trace", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["trace"]["bindings"][0]["name"], "y");
}
