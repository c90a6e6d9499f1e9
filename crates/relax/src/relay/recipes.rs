//! Recipes that express an operator of Relay with a few calls of Relax operators.
//!
//! Recipes are keyed by Relay's names. Each step is inferred by Relax's own rules, so a recipe knows the extents of
//! intermediate results, and a call that Relax would reject is rejected here.

mod arithmetic;
mod blocks;
mod build;
mod dynamic;
mod elementwise;
mod gradients;
mod image;
mod indexing;
mod lacking;
mod multibox;
mod nn;
mod products;
mod quantized;
mod reduce;
mod sampling;
mod search;
mod shapes;
mod sparse;
#[cfg(test)]
mod tests;
mod vision;
mod windows;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use build::{Arg, Build, Refusal, Step, Val, Written};
pub use lacking::reason;

/// How a call is expressed.
#[derive(Clone, Copy, Debug)]
pub enum Recipe {
    /// Relax has an operator of this name with the same inputs and no attributes.
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
    blocks::RECIPES,
    indexing::RECIPES,
    search::RECIPES,
    products::RECIPES,
    windows::RECIPES,
    gradients::RECIPES,
    nn::RECIPES,
    image::RECIPES,
    vision::RECIPES,
    multibox::RECIPES,
    sampling::RECIPES,
    sparse::RECIPES,
    quantized::RECIPES,
    dynamic::RECIPES,
];

static RECIPES: LazyLock<FxHashMap<&'static str, Recipe>> =
    LazyLock::new(|| FAMILIES.iter().flat_map(|it| it.iter().copied()).collect());

/// Returns the recipe of an operator.
pub fn of(name: &str) -> Option<Recipe> {
    RECIPES.get(name).copied()
}

/// Returns every recipe, in no particular order.
pub fn all() -> impl Iterator<Item = (&'static str, Recipe)> {
    RECIPES.iter().map(|(name, recipe)| (*name, *recipe))
}

impl Recipe {
    /// Expands the recipe for a call.
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
