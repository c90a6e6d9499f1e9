//! Matches the arguments of a call to parameters, by Python's rules.
//!
//! Everything that reads a call uses this: inference, signature help, hovers, fixes.

use rustc_hash::FxHashMap;

/// The arguments that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One, by position or by keyword.
    One,
    /// One, by position only.
    ByPosition,
    /// One, by keyword only.
    ByName,
    /// `*rest`: the remaining positional arguments.
    Rest,
    /// Several consecutive arguments; only the callee knows how many.
    Several,
    /// `**rest`: the keywords that no parameter has.
    Keywords,
}

pub trait Parameter {
    /// Returns the name without stars.
    fn name(&self) -> &str;
    fn takes(&self) -> Takes;
    fn is_required(&self) -> bool;
}

pub trait Argument {
    /// Returns the keyword, if there is one. The keyword of `**kwargs` is empty.
    fn keyword(&self) -> Option<&str>;
    /// Returns `true` for `*args` and `**kwargs`.
    fn is_starred(&self) -> bool;
}

impl<A: Argument> Argument for &A {
    fn keyword(&self) -> Option<&str> {
        (**self).keyword()
    }

    fn is_starred(&self) -> bool {
        (**self).is_starred()
    }
}

/// Returns the argument with one of these keywords, or else the one at a position.
pub fn find<'a, A: Argument>(args: &'a [A], at: usize, names: &[&str]) -> Option<&'a A> {
    let is_named = |arg: &&A| arg.keyword().is_some_and(|it| names.contains(&it));
    let is_placed = |arg: &&A| arg.keyword().is_none() && !arg.is_starred();
    let named = args.iter().find(is_named);
    named.or_else(|| args.get(at).filter(is_placed))
}

/// A parameter that consists only of its name.
impl Parameter for &str {
    fn name(&self) -> &str {
        self
    }

    fn takes(&self) -> Takes {
        Takes::One
    }

    fn is_required(&self) -> bool {
        false
    }
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The parameter with this index.
    Param(usize),
    /// A parameter that already has an argument.
    Twice(usize),
    /// A keyword that no parameter has.
    UnknownName,
    /// A positional argument without a parameter.
    Surplus,
    /// A starred argument, or one after it, or one after a parameter that takes several.
    Unclear,
}

/// The mapping of the arguments of one call to parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The place of each argument.
    places: Vec<Place>,
    /// The parameters in order, with their arguments.
    filled: Vec<(usize, usize)>,
}

/// Matches `args` to `params`.
pub fn bind<P: Parameter, A: Argument>(params: &[P], args: impl IntoIterator<Item = A>) -> Binding {
    let mut filled = vec![false; params.len()];
    let mut next = 0;
    let mut is_clear = true;
    let names = Names::new(params);
    let places = args.into_iter().map(|arg| {
        if arg.is_starred() {
            is_clear &= arg.keyword().is_some();
            return Place::Unclear;
        }
        let place = match arg.keyword() {
            Some(keyword) => names.place(keyword),
            None if is_clear => by_position(params, &mut next),
            None => Place::Unclear,
        };
        match place {
            Place::Param(at)
                if takes_one(&params[at]) && std::mem::replace(&mut filled[at], true) =>
            {
                Place::Twice(at)
            }
            place => place,
        }
    });
    let places: Vec<Place> = places.collect();
    let of_params = places
        .iter()
        .enumerate()
        .filter_map(|(arg, place)| match place {
            Place::Param(param) => Some((*param, arg)),
            _ => None,
        });
    let mut filled: Vec<(usize, usize)> = of_params.collect();
    filled.sort_unstable();
    Binding { places, filled }
}

fn takes_one(param: &impl Parameter) -> bool {
    !matches!(
        param.takes(),
        Takes::Rest | Takes::Several | Takes::Keywords
    )
}

/// Finds parameters by name.
struct Names<'p, P> {
    params: &'p [P],
    /// An index, if there are many parameters.
    indices: Option<FxHashMap<&'p str, usize>>,
    /// The parameter that takes all other keywords.
    rest: Option<usize>,
}

impl<'p, P: Parameter> Names<'p, P> {
    fn new(params: &'p [P]) -> Names<'p, P> {
        const FEW: usize = 32;
        let named = || params.iter().enumerate().filter(|(_, it)| has_name(*it));
        // If two parameters have the same name, the first counts.
        let indices = || named().rev().map(|(at, it)| (it.name(), at)).collect();
        Names {
            params,
            indices: (params.len() > FEW).then(indices),
            rest: params.iter().position(|it| it.takes() == Takes::Keywords),
        }
    }

    fn place(&self, keyword: &str) -> Place {
        let is_named = |param: &P| has_name(param) && param.name() == keyword;
        let named = match &self.indices {
            Some(indices) => indices.get(keyword).copied(),
            None => self.params.iter().position(is_named),
        };
        named.or(self.rest).map_or(Place::UnknownName, Place::Param)
    }
}

fn has_name(param: &impl Parameter) -> bool {
    matches!(param.takes(), Takes::One | Takes::ByName | Takes::Several)
}

fn by_position<P: Parameter>(params: &[P], next: &mut usize) -> Place {
    let Some(param) = params.get(*next) else {
        return Place::Surplus;
    };
    match param.takes() {
        Takes::One | Takes::ByPosition => {
            *next += 1;
            Place::Param(*next - 1)
        }
        Takes::Rest => Place::Param(*next),
        Takes::Several => {
            let is_last = params[*next + 1..]
                .iter()
                .all(|it| matches!(it.takes(), Takes::ByName | Takes::Keywords | Takes::Rest));
            if is_last {
                Place::Param(*next)
            } else {
                Place::Unclear
            }
        }
        Takes::ByName | Takes::Keywords => Place::Surplus,
    }
}

/// Why a call is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The argument with this index has a keyword that no parameter has.
    UnknownName(usize),
    /// The argument is the second one for its parameter.
    Twice(usize),
    /// The argument is the first one without a parameter.
    Surplus(usize),
    /// The parameter with this index has no argument.
    Missing(usize),
}

impl Binding {
    pub fn place(&self, arg: usize) -> Place {
        self.places.get(arg).copied().unwrap_or(Place::Unclear)
    }

    /// Returns the parameter that an argument is for.
    pub fn param(&self, arg: usize) -> Option<usize> {
        match self.place(arg) {
            Place::Param(param) => Some(param),
            _ => None,
        }
    }

    /// Returns the arguments of a parameter.
    pub fn args(&self, param: usize) -> impl Iterator<Item = usize> {
        let first = self.filled.partition_point(|(of, _)| *of < param);
        let of_param = self.filled[first..].iter();
        let of_param = of_param.take_while(move |(of, _)| *of == param);
        of_param.map(|(_, arg)| *arg)
    }

    /// Returns the only or first argument of a parameter.
    pub fn arg(&self, param: usize) -> Option<usize> {
        self.args(param).next()
    }

    /// Returns the reasons why the call is invalid. A starred argument may provide missing parameters.
    pub fn misfits<P: Parameter>(&self, params: &[P]) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        let mut has_surplus = false;
        for (arg, place) in self.places.iter().enumerate() {
            match place {
                Place::UnknownName => misfits.push(Misfit::UnknownName(arg)),
                Place::Twice(_) => misfits.push(Misfit::Twice(arg)),
                Place::Surplus if !has_surplus => {
                    has_surplus = true;
                    misfits.push(Misfit::Surplus(arg));
                }
                Place::Surplus | Place::Param(_) | Place::Unclear => {}
            }
        }
        if misfits.is_empty() && !self.places.contains(&Place::Unclear) {
            let required = params
                .iter()
                .enumerate()
                .filter(|(_, param)| param.is_required());
            let missing = required.filter(|(at, _)| self.arg(*at).is_none());
            misfits.extend(missing.map(|(at, _)| Misfit::Missing(at)));
        }
        misfits
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::{Argument, Misfit, Parameter, Takes, bind};

    struct Param(&'static str);

    impl Parameter for Param {
        fn name(&self) -> &str {
            self.0
                .trim_start_matches('*')
                .split(['=', '.'])
                .next()
                .unwrap_or_default()
        }

        fn takes(&self) -> Takes {
            match self.0 {
                text if text.starts_with("**") => Takes::Keywords,
                text if text.starts_with('*') => Takes::Rest,
                text if text.ends_with("...") => Takes::Several,
                text if text.starts_with("k_") => Takes::ByName,
                _ => Takes::One,
            }
        }

        fn is_required(&self) -> bool {
            self.takes() == Takes::One && !self.0.contains('=')
        }
    }

    impl Argument for &str {
        fn keyword(&self) -> Option<&str> {
            match self.strip_prefix("**") {
                Some(_) => Some(""),
                None => self.split_once('=').map(|it| it.0),
            }
        }

        fn is_starred(&self) -> bool {
            self.starts_with('*')
        }
    }

    /// Both are written as in Python.
    fn check(params: &[&'static str], args: &[&str], expected: Expect) {
        let params: Vec<Param> = params.iter().copied().map(Param).collect();
        let binding = bind(&params, args.iter().copied());
        let places = args.iter().enumerate().map(|(at, arg)| {
            let place = binding.param(at).map(|it| params[it].name().to_owned());
            format!(
                "{arg} -> {}",
                place.unwrap_or_else(|| format!("{:?}", binding.place(at)))
            )
        });
        let misfits = binding.misfits(&params).into_iter().map(|it| match it {
            Misfit::UnknownName(arg) => format!("unknown {}", args[arg]),
            Misfit::Twice(arg) => format!("twice {}", args[arg]),
            Misfit::Surplus(arg) => format!("surplus {}", args[arg]),
            Misfit::Missing(param) => format!("missing {}", params[param].name()),
        });
        let lines: Vec<String> = places.chain(misfits).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn arguments_go_to_parameters_by_position_and_by_name() {
        check(
            &["x", "axis=None", "k_keep=False"],
            &["a", "k_keep=b", "axis=c"],
            expect![[r"
                a -> x
                k_keep=b -> k_keep
                axis=c -> axis"]],
        );
    }

    #[test]
    fn a_long_signature_has_a_name_for_each_parameter() {
        let names: Vec<String> = (0..100).map(|at| format!("p{at}")).collect();
        let params: Vec<&str> = names.iter().map(String::as_str).chain(["p7"]).collect();
        let args: Vec<String> = names.iter().rev().map(|it| format!("{it}=x")).collect();
        let binding = bind(&params, args.iter().map(String::as_str));
        let found: Vec<_> = (0..100).map(|param| binding.arg(param)).collect();
        assert_eq!(found, (0..100).rev().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn starred_parameters_take_the_remaining_arguments() {
        check(
            &["f", "*args", "k_dtype", "**attrs"],
            &["f", "a", "b", "k_dtype=c", "d=e"],
            expect![[r"
                f -> f
                a -> args
                b -> args
                k_dtype=c -> k_dtype
                d=e -> attrs"]],
        );
    }

    #[test]
    fn a_bad_call_reports_every_reason() {
        check(
            &["x", "y"],
            &["a", "x=b", "z=c", "y=d", "y=e"],
            expect![[r"
                a -> x
                x=b -> Twice(0)
                z=c -> UnknownName
                y=d -> y
                y=e -> Twice(1)
                twice x=b
                unknown z=c
                twice y=e"]],
        );
        check(
            &["x", "k_y"],
            &["a", "b", "c"],
            expect![[r"
                a -> x
                b -> Surplus
                c -> Surplus
                surplus b"]],
        );
        check(
            &["x", "y", "z=1"],
            &["a"],
            expect![[r"
            a -> x
            missing y"]],
        );
    }

    #[test]
    fn positions_after_a_starred_argument_are_unknown() {
        check(
            &["x", "y", "z"],
            &["a", "*b", "c", "z=d"],
            expect![[r"
                a -> x
                *b -> Unclear
                c -> Unclear
                z=d -> z"]],
        );
    }

    #[test]
    fn positions_of_a_variadic_operand_are_known_only_at_the_end() {
        check(
            &["a...", "k_b"],
            &["x", "y"],
            expect![[r"
            x -> a
            y -> a"]],
        );
        check(
            &["a...", "b"],
            &["x", "y"],
            expect![[r"
            x -> Unclear
            y -> Unclear"]],
        );
    }
}
