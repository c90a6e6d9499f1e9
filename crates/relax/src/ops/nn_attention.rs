//! Attention over queries, keys and values with the layout (batch, sequence, heads, features).

use super::Default::None;
use super::{At, Call, Infer, Kind, OpDef, OpErrorKind, Param, Stop, explicit_dims, opt, req};
use crate::release::{Release, Releases};
use crate::sinfo::{StructInfo, Tensor};
use crate::sym::SymExpr;

const SOURCE: &str = "src/relax/op/nn/attention.cc";

const BIAS: Param =
    opt("bias", Kind::Tensor, None).doc("Added to the scores; extents of 1 broadcast.");
const SCALE: Param =
    opt("scale", Kind::Float, None).doc("The factor of the scores; 1/sqrt(d) if absent.");
const CAUSAL: Param = opt("causal_mask", Kind::Str, None)
    .doc("`TopLeft` or `BottomRight`: where the mask of later keys begins; no mask if absent.");
const WINDOW: Param = opt("window_size", Kind::Int, None)
    .doc("The number of earlier positions that a query attends to; all if absent.");

static FIXED: &[Param] = &[
    req("query", Kind::Tensor).doc("The queries."),
    req("key", Kind::Tensor).doc("The keys."),
    req("value", Kind::Tensor).doc("The values."),
    BIAS,
    SCALE,
    CAUSAL,
    WINDOW,
];

static VAR_LEN: &[Param] = &[
    req("queries", Kind::Tensor).doc("The queries of all sequences, one after the other."),
    req("keys", Kind::Tensor).doc("The keys of all sequences."),
    req("values", Kind::Tensor).doc("The values of all sequences."),
    req("seqstart_q", Kind::Tensor)
        .doc("The start of each sequence of queries, and the end of the last."),
    req("max_seqlen_q", Kind::Tensor).doc("The longest sequence of queries."),
    opt("seqstart_k", Kind::Tensor, None)
        .doc("The start of each sequence of keys; that of the queries if absent."),
    opt("max_seqlen_k", Kind::Tensor, None)
        .doc("The longest sequence of keys; that of the queries if absent."),
    SCALE,
    CAUSAL,
    WINDOW,
];

const SUMMARY: &str = "The mean of the values, weighted by how well each key matches the query.";
const SHAPES: &str = "query: (b, s, h, d) · key: (b, t, h', d) · value: (b, t, h', e) · bias: (b|1, h|1, s|1, t) → (b, s, h, e)";

pub static OPS: &[OpDef] = &[
    OpDef::new("relax.nn.attention", FIXED, attention)
        .doc(
            SUMMARY,
            SHAPES,
            "y = R.nn.attention(q, k, v, causal_mask=\"TopLeft\")",
        )
        .source(SOURCE)
        .familiar(&["scaled_dot_product_attention"]),
    OpDef::new("relax.nn.attention_bias", FIXED, attention)
        .doc(SUMMARY, SHAPES, "y = R.nn.attention_bias(q, k, v, bias)")
        .source(SOURCE),
    OpDef::new("relax.nn.attention_var_len", VAR_LEN, attention_var_len)
        .releases(Releases::since(Release::Unity))
        .doc(
            "Attention over sequences of different lengths that are packed into one.",
            "queries: (1, s, h, d) · keys: (1, t, h', d) · values: (1, t, h', e) → (1, s, h, e)",
            "y = R.nn.attention_var_len(q, k, v, seqstart, max_seqlen)",
        )
        .source(SOURCE),
];

fn attention(c: &Call<'_>) -> Infer {
    let inputs = [c.tensor(0)?, c.tensor(1)?, c.tensor(2)?];
    let bias = c.tensor_opt(3)?;
    match_heads(c, &inputs)?;
    if let Some(bias) = bias {
        match_bias(c, &inputs, &bias)?;
    }
    Ok(weighted(&inputs))
}

fn attention_var_len(c: &Call<'_>) -> Infer {
    let inputs = [c.tensor(0)?, c.tensor(1)?, c.tensor(2)?];
    for i in 3..5 {
        c.tensor(i)?;
    }
    for i in 5..7 {
        c.tensor_opt(i)?;
    }
    match_heads(c, &inputs)?;
    Ok(weighted(&inputs))
}

/// Returns (batch, queries, heads) of the queries, with the features of the values.
fn weighted([query, _, value]: &[Tensor; 3]) -> StructInfo {
    let result = match (explicit_dims(query), explicit_dims(value)) {
        (Some([batch, queries, heads, _]), Some([.., features])) => {
            let dims = [batch, queries, heads, features].map(Clone::clone);
            Tensor::new(dims.to_vec(), query.dtype)
        }
        _ => Tensor::of_ndim(Some(4), query.dtype),
    };
    result.with_vdevice(query.vdevice.clone()).into()
}

/// Returns the dimensions of operand `i`, which must be four.
fn dims<'t>(c: &Call<'_>, i: usize, tensor: &'t Tensor) -> Result<Option<&'t [SymExpr; 4]>, Stop> {
    match tensor.ndim() {
        Some(4) => Ok(explicit_dims(tensor).and_then(|dims| dims.try_into().ok())),
        ndim => Err(c.error(
            OpErrorKind::Rank,
            At::param(i),
            format!(
                "`{}` must have 4 dimensions, (batch, sequence, heads, features), but {}",
                c.name(i),
                ndim.map_or_else(
                    || "its rank is not known".to_owned(),
                    |ndim| format!("has {ndim}")
                )
            ),
        )),
    }
}

fn match_heads(c: &Call<'_>, [query, key, value]: &[Tensor; 3]) -> Result<(), Stop> {
    let (q, k, v) = (dims(c, 0, query)?, dims(c, 1, key)?, dims(c, 2, value)?);
    let same = |i: usize, dim: &SymExpr, d: usize, of: usize, other: &SymExpr, what: &str| {
        c.same_dim((At::dim(i, d), dim), (At::dim(of, d), other), what)
    };
    if let (Some([batch, _, heads, features]), Some([kb, _, kh, kd])) = (q, k) {
        same(1, kb, 0, 0, batch, BATCH)?;
        multiple_of(c, (0, heads), (1, kh))?;
        same(1, kd, 3, 0, features, "number of features")?;
    }
    if let (Some([batch, _, heads, _]), Some([vb, _, vh, _])) = (q, v) {
        same(2, vb, 0, 0, batch, BATCH)?;
        multiple_of(c, (0, heads), (2, vh))?;
    }
    if let (Some([_, keys, ..]), Some([_, values, ..])) = (k, v) {
        same(2, values, 1, 1, keys, LENGTH)?;
    }
    Ok(())
}

const BATCH: &str = "batch size";
const HEADS: &str = "number of heads";
const LENGTH: &str = "sequence length";

/// Checks that the number of heads of `i` is a multiple of that of `k`.
fn multiple_of(
    c: &Call<'_>,
    (i, heads): (usize, &SymExpr),
    (k, shared): (usize, &SymExpr),
) -> Result<(), Stop> {
    if !c.indivisible(heads, shared) {
        return Ok(());
    }
    Err(c.error_with(
        OpErrorKind::Shape,
        At::dim(i, 2),
        format!(
            "the number of heads of `{}`, `{heads}`, is not a multiple of that of `{}`, `{shared}`",
            c.name(i),
            c.name(k)
        ),
        At::dim(k, 2),
        format!("`{shared}` heads here"),
    ))
}

fn match_bias(c: &Call<'_>, [query, key, _]: &[Tensor; 3], bias: &Tensor) -> Result<(), Stop> {
    let Some([batch, heads, queries, keys]) = dims(c, 3, bias)? else {
        return Ok(());
    };
    if let Some([qb, qs, qh, _]) = dims(c, 0, query)? {
        for (d, dim, of, other, what) in [
            (0, batch, 0, qb, BATCH),
            (1, heads, 2, qh, HEADS),
            (2, queries, 1, qs, LENGTH),
        ] {
            if dim.as_int() != Some(1) {
                c.same_dim((At::dim(3, d), dim), (At::dim(0, of), other), what)?;
            }
        }
    }
    if let Some([_, ks, ..]) = dims(c, 1, key)? {
        c.same_dim((At::dim(3, 3), keys), (At::dim(1, 1), ks), LENGTH)?;
    }
    Ok(())
}
