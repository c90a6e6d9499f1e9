//! A text with floats of 64 bits, to tell rounding from a mistake.

/// The names of narrower floats in strings and under `T` and `R`.
const NARROW: &[&str] = &["bfloat16", "float16", "float32"];

/// A storage in bytes, which has to hold wider elements.
const STORAGE: &[&str] = &["R.memory.alloc_storage(", "R.vm.alloc_storage("];

/// The largest ratio of the widths.
const RATIO: u32 = 4;

/// Replaces each narrower dtype by `float64`, and enlarges storages.
pub fn in_double(text: &str) -> String {
    let mut wide = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let at = wide.len();
        let mut rest = line;
        while let Some((at, name)) = next(rest) {
            wide.push_str(&rest[..at]);
            wide.push_str("float64");
            rest = &rest[at + name.len()..];
        }
        wide.push_str(rest);
        if let Some(enlarged) = enlarged(&wide[at..]) {
            wide.truncate(at);
            wide.push_str(&enlarged);
        }
    }
    wide
}

/// Returns the next narrow dtype of a line.
fn next(line: &str) -> Option<(usize, &'static str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in NARROW {
        let mut places = line.match_indices(name);
        let whole = places.find(|(at, _)| {
            !line[..*at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word)
        });
        found.extend(whole.map(|(at, _)| (at, *name)));
    }
    found.into_iter().min()
}

fn enlarged(line: &str) -> Option<String> {
    let (_, after) = STORAGE.iter().find_map(|it| line.split_once(it))?;
    let dims = after.split_once("R.shape([")?.1;
    let (dims, _) = dims.split_once("])")?;
    let whole = format!("R.shape([{dims}])");
    Some(line.replacen(&whole, &format!("R.shape([({dims}) * {RATIO}])"), 1))
}

#[cfg(test)]
mod tests {
    use super::in_double;

    #[test]
    fn dtypes_and_storages_get_wider() {
        let text = "\
x: R.Tensor((n,), dtype=\"float32\") = R.astype(y, dtype=\"float16\")
z = T.float32(0.5) + T.Cast(\"float32\", float32_name)
s = R.memory.alloc_storage(R.shape([n * 4]), R.prim_value(0), R.str(\"global\"), R.dtype(\"float32\"))
";
        expect_test::expect![[r#"
            x: R.Tensor((n,), dtype="float64") = R.astype(y, dtype="float64")
            z = T.float64(0.5) + T.Cast("float64", float32_name)
            s = R.memory.alloc_storage(R.shape([(n * 4) * 4]), R.prim_value(0), R.str("global"), R.dtype("float64"))
        "#]]
        .assert_eq(&in_double(text));
    }
}
