//! Runs the complete programs of the RFC of 2022, with host functions as it describes them.

use expect_test::{Expect, expect};
use hir::{Database, Source, SourceFile, file_items};
use relax::FunctionKind;

use super::show;
use crate::tensor::Tensor;
use crate::value::Value;
use crate::{Limits, Observer, PackedCall, PackedResult, run};

const PACKED: &[&str] = &[
    "custom_add",
    "custom_func",
    "custom_inplace_update",
    "custom_print",
    "custom_tile",
    "myshape_func",
];

/// The host functions that the programs call.
struct Host;

fn floats(value: &Value) -> Result<(Vec<usize>, Vec<f32>), String> {
    let tensor = value.as_tensor().ok_or("no tensor")?;
    let values = tensor.values::<f32>().map_err(|it| it.to_string())?;
    Ok((tensor.shape().to_vec(), values.to_vec()))
}

fn tensor(shape: &[usize], values: Vec<f32>) -> Result<Value, String> {
    let tensor = Tensor::from_vec(shape, values).map_err(|it| it.to_string())?;
    Ok(tensor.into())
}

impl Observer for Host {
    fn print(&mut self, _: &str) {}

    fn packed(&mut self, call: &PackedCall<'_>) -> Result<PackedResult, String> {
        let made = match call.name {
            "custom_print" => Value::Null,
            "custom_inplace_update" => call.args[0].clone(),
            // The shape that it is given.
            "myshape_func" => call.args[0].clone(),
            "custom_add" => {
                let ((shape, a), (_, b)) = (floats(&call.args[0])?, floats(&call.args[1])?);
                tensor(&shape, a.iter().zip(&b).map(|(a, b)| a + b).collect())?
            }
            // Repeats the columns twice.
            "custom_tile" => {
                let (shape, values) = floats(&call.args[0])?;
                let rows = values.chunks(shape[1]).flat_map(|row| [row, row].concat());
                tensor(&[shape[0], shape[1] * 2], rows.collect())?
            }
            "custom_func" => {
                let (shape, values) = floats(&call.args[0])?;
                tensor(&shape, values.iter().map(|it| it * 2.0).collect())?
            }
            name => return Err(format!("no `{name}`")),
        };
        let mut outs = call.args[call.args.len() - call.outs..].to_vec();
        if let Some(out) = outs.last_mut() {
            *out = made.clone();
        }
        Ok(PackedResult { value: made, outs })
    }
}

/// Runs the only Relax function of a program with inputs of these shapes.
fn check(source: &str, inputs: &[&[usize]], expect: Expect) {
    let db = Database::default();
    // The RFC omits imports.
    let file = SourceFile::new(&db, Source::new(format!("import tvm\n{source}")));
    let functions = &file_items(&db, file).functions;
    let function = functions
        .iter()
        .find(|it| it.kind(&db) == FunctionKind::Relax);
    let function = *function.expect("a Relax function");
    let packed: Vec<String> = PACKED.iter().map(|it| (*it).to_owned()).collect();
    let program = crate::compile_with(&db, function, &packed).expect("it compiles");
    let values = inputs.iter().map(|shape| {
        let len: usize = shape.iter().product();
        // Use small values if many are summed.
        let value = |it: usize| match len {
            ..=128 => it as f32 / 4.0,
            _ => (it % 3) as f32 / 64.0,
        };
        tensor(shape, (0..len).map(value).collect()).expect("a tensor")
    });
    let name = function.name(&db);
    let value = run(
        &program,
        &name,
        values.collect(),
        &Limits::default(),
        &mut Host,
    );
    expect.assert_eq(&show(&value.expect("it runs")));
}

#[test]
fn the_programs_of_the_rfc_compute_the_documented_values() {
    let first_page = include_str!("../../../../hir/test_data/rfc/first_page.py");
    check(
        first_page,
        &[&[2, 3], &[3, 2]],
        expect![
            "f32[4] [1.8682459592819214, 2.2535347938537598, 5.754602909088135, 12.182494163513184]"
        ],
    );
    let packed = include_str!("../../../../hir/test_data/rfc/packed.py");
    check(
        packed,
        &[&[2, 2], &[2, 2]],
        expect!["f32[2, 4] [0.125, 0.375, 0.125, 0.375, 0.375, 1.625, 0.375, 1.625]"],
    );
    let shapes = include_str!("../../../../hir/test_data/rfc/shapes.py");
    check(
        shapes,
        &[&[1, 2, 2]],
        expect!["f32[4] [1.0, 1.6487212181091309, 2.7182817459106445, 4.481688976287842]"],
    );
    let blocks = include_str!("../../../../hir/test_data/rfc/blocks.py");
    check(
        blocks,
        &[&[2, 3], &[3, 2]],
        expect!["f32[4] [0.625, 0.8125, 1.75, 2.5]"],
    );
    let beside = include_str!("../../../../hir/test_data/rfc/struct_info_beside.py");
    check(
        beside,
        &[&[1, 784], &[128, 784], &[128]],
        expect![
            "f32[1, 128] [1.3752059936523438, 1.4585479497909546, 1.8728126287460327, 2.911311149597168, 3.0877461433410645, 3.9647445678710938, 6.163245677947998, 6.5367584228515625, 8.393363952636719, 13.047591209411621, 13.83831787109375, 17.76875114440918, 27.621749877929688, 29.295719146728516, 37.61644744873047, 58.47524642944336]"
        ],
    );
}
