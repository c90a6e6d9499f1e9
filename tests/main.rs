//! Tests of the whole product.

mod conformance;
mod e2e;
mod robustness;
mod rules;
