//! How an operator of Relay is written in Relax: the recipe of a call is a few calls of Relax's operators.
//!
//! Recipes are keyed by Relay's names. Each step is inferred by Relax's own rules, so that a recipe knows the extents of
//! what it made, and a call that Relax would refuse is refused here.

mod build;
mod dynamic;
mod elementwise;
mod image;
mod indexing;
mod nn;
mod products;
mod quantized;
mod reduce;
mod shapes;
#[cfg(test)]
mod tests;
mod windows;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use build::{Arg, Build, Refusal, Step, Val, Written};

/// How a call is written.
#[derive(Clone, Copy, Debug)]
pub enum Recipe {
    /// Relax has the operator under this name, with the same inputs and no attributes.
    Plain(&'static str),
    /// The result is the first input.
    Input,
    Made(fn(&mut Build<'_>) -> Result<Val, Refusal>),
}

use Recipe::{Input, Made, Plain};

type Rows = &'static [(&'static str, Recipe)];

const FAMILIES: &[Rows] = &[
    elementwise::RECIPES,
    reduce::RECIPES,
    shapes::RECIPES,
    indexing::RECIPES,
    products::RECIPES,
    windows::RECIPES,
    nn::RECIPES,
    image::RECIPES,
    quantized::RECIPES,
    dynamic::RECIPES,
];

static RECIPES: LazyLock<FxHashMap<&'static str, Recipe>> =
    LazyLock::new(|| FAMILIES.iter().flat_map(|it| it.iter().copied()).collect());

/// The recipe of an operator.
pub fn of(name: &str) -> Option<Recipe> {
    RECIPES.get(name).copied()
}

/// Every recipe, in no order.
pub fn all() -> impl Iterator<Item = (&'static str, Recipe)> {
    RECIPES.iter().map(|(name, recipe)| (*name, *recipe))
}

impl Recipe {
    /// Writes the call.
    pub fn write(self, build: &mut Build<'_>) -> Result<Val, Refusal> {
        match self {
            Plain(name) => {
                let inputs: Vec<Arg> = build.inputs().iter().cloned().map(Arg::Val).collect();
                build.op(name, inputs, [])
            }
            Input => build.input(0),
            Made(recipe) => recipe(build),
        }
    }
}
