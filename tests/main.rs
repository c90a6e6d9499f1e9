//! Tests of the whole product.

mod rules;
