//! Assigns the arguments of a call under `T` to parameters, by the rows of `relax::script`.

use relax::arguments;
use relax::script::{self, Namespace};

use super::Reader;
use crate::body::{Arg, Expr, ExprId};

impl<'a> Reader<'a> {
    /// Returns the positional parameters of a name under `T`, in order.
    fn positional(&self, path: &str) -> impl Iterator<Item = &'static str> + use<> {
        // These names are aliases of names with a row.
        let path = match path {
            "buffer_decl" => "Buffer",
            "alloc_tensor" => "alloc_buffer",
            path => path,
        };
        let entry = script::find(Namespace::Tir, path, self.around.release);
        let params = match path {
            "range" => "start, stop, step",
            _ => entry.and_then(|it| it.params).unwrap_or_default(),
        };
        let by_position = params.split(", ").take_while(|it| !it.starts_with('*'));
        by_position.map(|it| it.split('=').next().unwrap_or(it))
    }

    /// Returns each argument with the name of its parameter, which is empty where it is not known.
    pub fn bound<'b>(
        &self,
        path: &str,
        args: &'b [Arg],
    ) -> impl Iterator<Item = (&'b str, &'b Arg)> + use<'b> {
        let params: Vec<&str> = self.positional(path).collect();
        let binding = arguments::bind(&params, args);
        args.iter().enumerate().map(move |(at, arg)| {
            let by_place = binding.param(at).map_or("", |param| params[param]);
            let keyword = arg.keyword.as_ref().map(|name| name.text.as_str());
            (keyword.unwrap_or(by_place), arg)
        })
    }

    /// Returns the argument of a parameter.
    pub fn arg(&self, path: &str, args: &[Arg], name: &str) -> Option<ExprId> {
        let mut bound = self.bound(path, args);
        bound
            .find(|(param, _)| *param == name)
            .map(|(_, arg)| arg.value)
    }

    /// Reads arguments that are not part of the program; `dtype=` names a dtype.
    pub fn silent_args<'b>(&mut self, args: impl IntoIterator<Item = &'b Arg>) {
        self.silent(|it| {
            for arg in args {
                let is_dtype = arg
                    .keyword
                    .as_ref()
                    .is_some_and(|name| name.text == "dtype");
                if is_dtype && matches!(it.body.exprs[arg.value], Expr::Str(_)) {
                    it.dtype(arg.value);
                } else {
                    it.value(arg.value);
                }
            }
        });
    }

    /// Returns the callee and the arguments of a call. Any other expression is a callee without arguments.
    pub fn call_parts(&self, expr: ExprId) -> (ExprId, &'a [Arg]) {
        let body = self.body;
        match &body.exprs[expr] {
            Expr::Call { callee, args } => (*callee, args),
            Expr::Subscript { base, .. } => (*base, &[]),
            _ => (expr, &[]),
        }
    }
}
