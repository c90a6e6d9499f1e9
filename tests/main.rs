//! Tests of the whole product.

mod e2e;
mod rules;
