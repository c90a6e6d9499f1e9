//! Tests of the whole product.

mod answers;
mod conformance;
mod e2e;
mod packaging;
mod robustness;
mod rules;
