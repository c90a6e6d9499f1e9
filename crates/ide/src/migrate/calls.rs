//! Migrates calls whose arguments changed: the dimensions of `R.call_tir`, defaults, the order of `R.nn.pad`.

use relax::release::Release;
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode, Expr};

use super::{Pass, args_of, decorators, gone};

/// The first release in which `R.call_tir` takes dimensions as arguments, before the outputs (#20009).
const DIMENSIONS_AS_ARGUMENTS: Release = Release::V0_26;
/// The first release in which `pad_mode` comes before `pad_value` (#17657).
const PAD_MODE_FIRST: Release = Release::V0_20;
/// The first release that reads target options from a dictionary only (#18785).
const TARGETS_ARE_DICTIONARIES: Release = Release::V0_24;
/// The first release in which `R.vm.alloc_tensor` takes a number as its device.
const DEVICES_ARE_NUMBERS: Release = Release::V0_26;
/// The first release in which `R.vm.alloc_tensor` takes a device (`runtime_device_ind`).
const TENSORS_HAVE_DEVICES: Release = Release::V0_23;
/// The first release in which `void` is an ordinary dtype.
const VOID_IS_A_DTYPE: Release = Release::V0_26;

const CALLS_OF_PRIM_FUNCS: &[&str] = &[
    "R.call_tir",
    "R.call_tir_inplace",
    "R.call_tir_with_grad",
    "R.dist.call_tir",
    "R.dist.call_tir_local_view",
];

pub fn rule(pass: &mut Pass<'_>, node: &SyntaxNode) {
    let Some(call) = ast::CallExpr::cast(node.clone()) else {
        return;
    };
    let Some(name) = call.callee().and_then(|it| pass.script_name(&it)) else {
        return;
    };
    let args = args_of(&call);
    gone::call(pass, &call, &name, &args);
    if CALLS_OF_PRIM_FUNCS.contains(&name.as_str())
        && pass.transition.enters(DIMENSIONS_AS_ARGUMENTS)
    {
        dimensions(pass, &call, &args);
    }
    if name == "R.nn.pad" && pass.transition.may_come_from_before(PAD_MODE_FIRST) && args.len() > 3
    {
        let message = "`pad_value` and `pad_mode` were swapped in TVM 0.20: say which release this file is for";
        pass.leave(call.range(), message);
    }
    if name == "R.nn.pad"
        && (pass.transition.enters(PAD_MODE_FIRST) || pass.transition.leaves(PAD_MODE_FIRST))
    {
        pad(pass, &args);
    }
    if name.starts_with("R.") && pass.transition.enters(VOID_IS_A_DTYPE) {
        void(pass, &args);
    }
    if matches!(name.as_str(), "R.vm.alloc_tensor" | "R.memory.alloc_tensor") {
        device(pass, &call, &args);
    }
    if name == "I.vdevice" && pass.transition.enters(TARGETS_ARE_DICTIONARIES) {
        target(pass, &args);
    }
    if pass.transition.enters(Release::V0_26) {
        shape_variable(pass, &call, &name, &args);
    }
}

pub fn keyword<'a>(args: &'a [ast::Arg], name: &str) -> Option<&'a ast::Arg> {
    let is_it = |it: &&ast::Arg| it.keyword().is_some_and(|it| it.text() == name);
    args.iter().find(is_it)
}

fn elements(expr: &Expr) -> Option<Vec<Expr>> {
    match expr {
        Expr::TupleExpr(it) => Some(it.elements().collect()),
        Expr::ListExpr(it) => Some(it.elements().collect()),
        Expr::ParenExpr(it) => elements(&it.expr()?),
        // `R.shape([n])`, `R.ShapeExpr([n])`, `R.tuple(x, y)`
        Expr::CallExpr(call) => {
            let args: Vec<Expr> = call
                .arg_list()?
                .args()
                .filter_map(|it| it.value())
                .collect();
            match args.as_slice() {
                [one @ (Expr::TupleExpr(_) | Expr::ListExpr(_))] => elements(one),
                _ => Some(args),
            }
        }
        _ => None,
    }
}

/// Rewrites `R.call_tir(f, (x,), out_ty=..., tir_vars=R.shape([n]))` to `R.call_tir(f, (x, n), out_ty=...)`, and
/// reorders the parameters of `f` to match.
fn dimensions(pass: &mut Pass<'_>, call: &ast::CallExpr, args: &[ast::Arg]) {
    let Some(given) = keyword(args, "tir_vars") else {
        return;
    };
    let dims = given.value().and_then(|it| elements(&it));
    let operands = args.get(1).and_then(ast::Arg::value);
    let prim_func = args
        .first()
        .and_then(ast::Arg::value)
        .and_then(|it| definition(pass, &it));
    let (Some(dims), Some(operands), Some(prim_func)) = (dims, operands, prim_func) else {
        pass.leave(
            given.range(),
            "since TVM 0.26 `tir_vars` are arguments before the outputs",
        );
        return;
    };
    let Some(outputs) = outputs(pass, call, args) else {
        pass.leave(
            given.range(),
            "since TVM 0.26 `tir_vars` are arguments before the outputs",
        );
        return;
    };
    let dims: Vec<&str> = dims.iter().map(|it| pass.slice(it.range())).collect();
    let tuple = match (&operands, elements(&operands)) {
        (Expr::TupleExpr(_) | Expr::ListExpr(_), Some(elements)) => {
            let texts = elements.iter().map(|it| pass.slice(it.range()));
            let all: Vec<&str> = texts.chain(dims.iter().copied()).collect();
            let is_list = matches!(operands, Expr::ListExpr(_));
            match (is_list, all.as_slice()) {
                (true, _) => format!("[{}]", all.join(", ")),
                (false, [one]) => format!("({one},)"),
                (false, _) => format!("({})", all.join(", ")),
            }
        }
        (Expr::CallExpr(_), Some(elements)) => {
            let texts = elements.iter().map(|it| pass.slice(it.range()));
            let all: Vec<&str> = texts.chain(dims.iter().copied()).collect();
            if all.len() == 1 {
                format!("({},)", all[0])
            } else {
                format!("({})", all.join(", "))
            }
        }
        _ => format!("({}, {})", pass.slice(operands.range()), dims.join(", ")),
    };
    pass.replace(operands.range(), tuple);
    pass.remove_arg(given);
    reorder(pass, &prim_func, outputs, dims.len());
}

/// Returns the number of output parameters of the callee.
fn outputs(pass: &Pass<'_>, call: &ast::CallExpr, args: &[ast::Arg]) -> Option<usize> {
    let name = call.callee().and_then(|it| pass.script_name(&it));
    let given = keyword(args, "out_ty").or_else(|| args.get(2).filter(|it| it.keyword().is_none()));
    let all = match given?.value()? {
        Expr::ListExpr(it) => it.elements().count(),
        Expr::TupleExpr(it) => it.elements().count(),
        _ => 1,
    };
    // An output that is written in place is also an argument, and has no parameter of its own.
    let in_place = keyword(args, "inplace_indices")
        .and_then(ast::Arg::value)
        .and_then(|it| elements(&it));
    let in_place = in_place.map_or(0, |it| {
        it.iter()
            .filter(|it| !pass.slice(it.range()).starts_with('-'))
            .count()
    });
    (name.as_deref() != Some("R.call_tir_inplace") || in_place > 0)
        .then_some(all - in_place.min(all))
}

/// Returns the PrimFunc that `cls.f` or `Module.f` refers to, if the enclosing class defines it.
fn definition(pass: &Pass<'_>, callee: &Expr) -> Option<ast::FunctionDef> {
    let name = match callee {
        Expr::AttributeExpr(it) => it.name()?.text().to_owned(),
        Expr::NameExpr(it) => it.text(),
        _ => return None,
    };
    let class = callee.syntax().ancestors().find_map(ast::ClassDef::cast)?;
    let methods = pass.methods(&class);
    let mut of_name = methods.get(name.as_str())?.iter();
    let is_prim_func = |it: &&ast::FunctionDef| {
        let body = it.body();
        body.is_some_and(|it| decorators::is_in_prim_func(pass, it.syntax()))
    };
    of_name.find(is_prim_func).cloned()
}

/// Moves the last `dims` parameters in front of the `outputs` parameters before them.
fn reorder(pass: &mut Pass<'_>, function: &ast::FunctionDef, outputs: usize, dims: usize) {
    let params: Vec<ast::Param> = function
        .params()
        .map(|it| it.params().collect())
        .unwrap_or_default();
    let Some(first) = params.len().checked_sub(outputs + dims) else {
        return;
    };
    let moved = &params[first..];
    let texts: Vec<&str> = moved.iter().map(|it| pass.slice(it.range())).collect();
    let order = (outputs..outputs + dims).chain(0..outputs);
    for (param, at) in moved.iter().zip(order) {
        pass.replace(param.range(), texts[at]);
    }
}

/// Swaps the third and fourth argument of `R.nn.pad(x, widths, 0.0, "constant")`.
fn pad(pass: &mut Pass<'_>, args: &[ast::Arg]) {
    let positional: Vec<&ast::Arg> = args
        .iter()
        .take_while(|it| it.keyword().is_none())
        .collect();
    let (third, fourth) = match (pass.transition.enters(PAD_MODE_FIRST), positional.len()) {
        (true, 3..) => ("pad_value", "pad_mode"),
        (false, 3..) => ("pad_mode", "pad_value"),
        _ => return,
    };
    pass.insert(positional[2].range().start(), format!("{third}="));
    if let Some(it) = positional.get(3) {
        pass.insert(it.range().start(), format!("{fourth}="));
    }
}

/// Rewrites the device of `R.vm.alloc_tensor(storage, 0, shape, dtype, 1)` as `R.prim_value(1)`, or removes it if it is 0
/// and the target release has no such parameter.
fn device(pass: &mut Pass<'_>, call: &ast::CallExpr, args: &[ast::Arg]) {
    let positional = args.get(4).filter(|it| it.keyword().is_none());
    let device = positional.or_else(|| keyword(args, "runtime_device_ind"));
    let value = device.and_then(ast::Arg::value);
    let (Some(device), Some(value), Some(callee)) = (device, value, call.callee()) else {
        return;
    };
    let text = pass.slice(value.range());
    let root = pass.slice(callee.range()).split('.').next().unwrap_or("R");
    if pass.transition.leaves(TENSORS_HAVE_DEVICES) {
        if text == "0" || text == format!("{root}.prim_value(0)") {
            pass.remove_arg(device);
        } else {
            let message = "before TVM 0.23 `alloc_tensor` takes no device";
            pass.leave(device.range(), message);
        }
    } else if pass.transition.leaves(DEVICES_ARE_NUMBERS) && text.parse::<i64>().is_ok() {
        pass.replace(value.range(), format!("{root}.prim_value({text})"));
    }
}

/// Removes `out_dtype="void"`, which meant "the dtype of the operands".
fn void(pass: &mut Pass<'_>, args: &[ast::Arg]) {
    for arg in args {
        let name = arg.keyword();
        if let Some(value) = arg.value()
            && name.is_some_and(|it| matches!(it.text(), "out_dtype" | "dtype"))
            && matches!(
                pass.slice(value.range()),
                "\"void\"" | "'void'" | "\"\"" | "''"
            )
        {
            pass.replace(value.range(), "None");
        }
    }
}

/// Rewrites `T.Var("n", "int64")`, `T.SizeVar("n", "int64")` and `T.int64(is_size_var=True)` to `T.int64()`.
fn shape_variable(pass: &mut Pass<'_>, call: &ast::CallExpr, name: &str, args: &[ast::Arg]) {
    if let Some(size) = keyword(args, "is_size_var").filter(|_| name.starts_with("T.")) {
        pass.remove_arg(size);
        return;
    }
    if !matches!(name, "T.Var" | "T.SizeVar")
        || !decorators::is_in_relax_function(pass, call.syntax())
    {
        return;
    }
    let values: Vec<Expr> = args.iter().filter_map(ast::Arg::value).collect();
    let target = call
        .syntax()
        .parent()
        .and_then(ast::AssignStmt::cast)
        .and_then(|it| it.targets().next());
    let [variable, dtype] = values.as_slice() else {
        return;
    };
    let variable = pass.slice(variable.range()).trim_matches(['"', '\'']);
    let dtype = pass.slice(dtype.range()).trim_matches(['"', '\'']);
    let Some(callee) = call.callee() else { return };
    let root = pass
        .slice(callee.range())
        .rsplit_once('.')
        .map_or("T", |(root, _)| root);
    if target.is_some_and(|it| pass.slice(it.range()) == variable) {
        pass.replace(call.range(), format!("{root}.{dtype}()"));
    }
}

/// Rewrites `I.vdevice("cuda -arch=sm_80", 0)` to `I.vdevice({"kind": "cuda", "arch": "sm_80"}, 0)`.
fn target(pass: &mut Pass<'_>, args: &[ast::Arg]) {
    let Some(value) = args.first().and_then(ast::Arg::value) else {
        return;
    };
    let text = pass.slice(value.range());
    let Some(text) = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
        return;
    };
    let mut words = text.split_whitespace();
    let (Some(kind), Some(_)) = (words.next(), words.clone().next()) else {
        return;
    };
    let mut entries = vec![format!("\"kind\": \"{kind}\"")];
    for word in words {
        let option = word.trim_start_matches('-').split_once('=');
        let Some((key, option)) = option.filter(|(_, option)| !option.contains(',')) else {
            return pass.leave(
                value.range(),
                "since TVM 0.24 target options are a dictionary (#18785)",
            );
        };
        let is_number = option.parse::<i64>().is_ok();
        let option = if is_number {
            option.to_owned()
        } else {
            format!("\"{option}\"")
        };
        entries.push(format!("\"{key}\": {option}"));
    }
    pass.replace(value.range(), format!("{{{}}}", entries.join(", ")));
}
