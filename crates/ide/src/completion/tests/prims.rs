//! Tests of completions in PrimFuncs.

use expect_test::expect;

use super::{check, labels, prim};

#[test]
fn buffers_loops_and_axes_are_offered_in_a_prim_func() {
    check(
        &prim("            B[vi, vj] = $0"),
        expect![[r#"
            vj  axis int32
            vi  axis int32
            A  buffer float32
            B  buffer float32
            i  loop variable int32
            j  loop variable int32
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn intrinsics_are_offered_after_the_t_namespace() {
    let items = labels(&prim("            B[vi, vj] = T.$0"));
    for name in ["if_then_else", "exp", "float32", "max"] {
        assert!(items.contains(&name.to_owned()), "{name}");
    }
    for name in ["prim_func", "block", "grid"] {
        assert!(!items.contains(&name.to_owned()), "{name}");
    }
    check(
        &prim("            v = T.axis.$0"),
        expect![[r#"
            remap  (kinds, bindings, dtype="int32")
            spatial  (dom, binding, dtype="int32")
            reduce  (dom, binding, dtype="int32")
            opaque  (dom, binding, dtype="int32")
            R  (dom, binding, dtype="int32")
            S  (dom, binding, dtype="int32")
            scan  (dom, binding, dtype="int32")
        "#]],
    );
    check(
        &prim("    for k in T.$0"),
        expect![[r#"
            grid  (*extents, dtype=None)
            serial  (start, stop=None, *, annotations=None, step=None, unroll=None, dtype=None)
            thread_binding  (start, stop=None, thread=None, *, annotations=None)
            vectorized  (start, stop=None, *, annotations=None, step=None, dtype=None)
            unroll  (start, stop=None, *, annotations=None, step=None, dtype=None)
            parallel  (start, stop=None, *, annotations=None, step=None, dtype=None)
        "#]],
    );
    check(
        &prim("    with T.$0"),
        expect![[r#"
            sblock  (name="", no_realize=False, exec_scope="")
            init  ()
            decl_buffer  (shape, dtype="float32", data=None, strides=None, elem_offset=None, byte_offset=None, scope="global", align=0, offset_factor=0, layout="default", allocated_addr=None)
            launch_thread  (thread, extent)
            attr  (node_or_dict, attr_key=None, value=None)
            Assert  (condition, message, error_kind="RuntimeError")
            Else  ()
            hint  (message="", **attrs)
        "#]],
    );
}

#[test]
fn indices_of_a_buffer_offer_axes_first() {
    check(
        &prim("            B[$0"),
        expect![[r#"
            vj  axis int32
            vi  axis int32
            i  loop variable int32
            j  loop variable int32
            A  buffer float32
            B  buffer float32
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn loop_constructors_are_offered_in_a_for_header() {
    check(
        &prim("            for i in $0"),
        expect![[r#"
            T.grid  (*extents, dtype=None)
            T.serial  (start, stop=None, *, annotations=None, step=None, unroll=None, dtype=None)
            T.thread_binding  (start, stop=None, thread=None, *, annotations=None)
            T.vectorized  (start, stop=None, *, annotations=None, step=None, dtype=None)
            T.unroll  (start, stop=None, *, annotations=None, step=None, dtype=None)
            T.parallel  (start, stop=None, *, annotations=None, step=None, dtype=None)
            range  (start, stop=None)
            T  PrimFuncs and shape expressions
        "#]],
    );
}

#[test]
fn a_buffer_element_is_not_offered_as_a_buffer() {
    let place = |line: &str| {
        labels(&prim(line))
            .iter()
            .position(|it| it == "alloc_buffer")
    };
    let (buffer, element) = (
        place("            C = T.$0"),
        place("            B[vi, vj] = T.$0"),
    );
    assert!(buffer < Some(4), "{buffer:?}");
    assert!(Some(50) < element, "{element:?}");
}

#[test]
fn arguments_in_a_prim_func_are_loops_or_buffers() {
    let first = |body: &str, count: usize| {
        let mut found = labels(&prim(body));
        found.truncate(count);
        found
    };
    let axes = "            vk = T.axis.spatial(4, $0";
    assert_eq!(first(axes, 2), ["i", "j"]);
    let remapped = "            vk = T.axis.remap(\"S\", [$0";
    assert_eq!(first(remapped, 2), ["i", "j"]);
    assert_eq!(first("            T.reads($0", 2), ["A", "B"]);
    assert_eq!(first("            T.reads(A[$0", 2), ["vj", "vi"]);
}

#[test]
fn buffers_and_numbers_of_a_prim_func_have_members() {
    check(
        &prim("            B[vi, vj] = A.$0"),
        expect![[r#"
            shape  its dimensions
            dtype  the dtype of its elements
            data  the pointer to its memory
            strides  elements between neighbours of each dimension
            elem_offset  elements before its first
            access_ptr  a pointer for calls
            vload  loads a vector
            vstore  stores a vector
        "#]],
    );
    check(
        &prim("            B[vi, vj] = vi.$0"),
        expect![[r#"
        astype  the same as another dtype
        dtype  its dtype
    "#]],
    );
    check(
        &prim("            B[vi, vj] = i.as$0"),
        expect![[r#"
        astype  the same as another dtype
        dtype  its dtype
    "#]],
    );
}

#[test]
fn device_intrinsics_are_offered_level_by_level() {
    let after = |path: &str| labels(&prim(&format!("            {path}$0")));
    let has = |path: &str, name: &str| after(path).iter().any(|it| it == name);
    assert!(has("T.", "cuda") && has("T.", "ptx") && has("T.", "tvm_struct_set"));
    assert!(!has("T.", "cta_sync"));
    assert!(has("T.cuda.", "cta_sync") && has("T.cuda.", "wgmma"));
    assert_eq!(
        after("T.cuda.wgmma."),
        ["encode_matrix_descriptor", "noop_barrier"]
    );
    assert!(has("T.ptx.cp.", "async_"));
    assert_eq!(after("T.ptx.popc."), ["b32", "b64"]);
    assert!(has("T.cta.", "copy"));
}

#[test]
fn common_names_sort_before_rare_ones() {
    let items = labels(&prim("            B[vi, vj] = T.$0"));
    let at = |name: &str| items.iter().position(|it| it == name).expect(name);
    assert!(at("exp") < at("tvm_struct_get"));
    assert!(at("max") < at("ptx"));
}

fn first_strings(line: &str, count: usize) -> Vec<String> {
    let mut found = labels(&prim(line));
    found.truncate(count);
    found
}

#[test]
fn axis_remap_offers_one_kind_per_name() {
    let kinds = first_strings("            vx, vk = T.axis.remap(\"$0", 5);
    assert_eq!(kinds, ["SR", "SS", "RR", "RS"]);
    let kinds = first_strings("            vx = T.axis.remap(\"$0\", [i])", 3);
    assert_eq!(kinds, ["S", "R"]);
}

#[test]
fn block_names_come_from_buffers_and_other_functions() {
    let other = "    # with T.sblock(\"A_rewrite\"):\n";
    let body = format!("{other}        with T.sblock(\"$0");
    let names = first_strings(&body, 4);
    assert_eq!(
        names,
        ["A", "A_rewrite", "root", "update"],
        "`B` is one already"
    );
}

#[test]
fn known_annotations_are_offered_in_their_context() {
    let first = |line: &str| first_strings(line, 1).concat();
    let keys = first("            for k in T.serial(4, annotations={\"$0");
    assert_eq!(keys, "pragma_unroll_explicit");
    let keys = first("            T.sblock_attr({\"$0\": 1})");
    assert_eq!(keys, "meta_schedule.tiling_structure");
    assert_eq!(
        first("            with T.attr(A.data, \"$0\", 1):"),
        "thread_extent"
    );
    assert_eq!(
        first("            T.func_attr({\"global_symbol\": \"$0\"})"),
        "double"
    );
    assert_eq!(first("            T.sblock_attr({\"a\": \"$0\"})"), "");
}

#[test]
fn dtypes_of_prim_funcs_may_be_vectors() {
    let names = labels(&prim("            x = A[vi, vj].astype(\"$0\")"));
    assert_eq!(names.first().map(String::as_str), Some("float32"));
    assert!(names.iter().any(|name| name == "int8x4"));
    let names = labels(&prim("            x = T.exp(A[vi, vj], dtype=\"$0\")"));
    assert_eq!(names.first().map(String::as_str), Some("float32"));
}

#[test]
fn strings_of_a_parameter_depend_on_the_function() {
    let first = |line: &str| first_strings(line, 2);
    assert_eq!(
        first("            T.tvm_storage_sync(\"$0"),
        ["global", "shared"]
    );
    assert_eq!(
        first("            T.launch_thread(\"$0"),
        ["blockIdx.x", "blockIdx.y"]
    );
    let matrix = "            T.tvm_load_matrix_sync(A, 1, 1, 1, 0, B, 1, \"$0";
    assert_eq!(first(matrix), ["row_major", "col_major"]);
    let alloc = "            C = T.alloc_buffer((4,), layout=\"$0";
    assert_eq!(first(alloc), ["default"]);
}

#[test]
fn names_near_the_cursor_sort_first() {
    let body = "            x = T.tvm_struct_get(A, 0, 1, \"int32\")\n            y = T.$0";
    let items = labels(&prim(body));
    let place = |name: &str| items.iter().position(|it| it == name).expect(name);
    assert!(place("tvm_struct_get") < place("tvm_struct_set"));
    assert!(place("tvm_struct_get") < place("exp"));
}

#[test]
fn a_thread_launch_is_offered_as_statement_and_after_with() {
    for line in ["    T.$0", "    with T.$0", "    bx = T.$0"] {
        assert!(
            labels(&prim(line)).contains(&"launch_thread".to_owned()),
            "{line}"
        );
    }
    assert!(!labels(&prim("    T.$0")).contains(&"sblock".to_owned()));
}

#[test]
fn an_imported_namespace_is_offered() {
    let file = prim("            $0").replace(
        "import tirx as T\n",
        "import tirx as T\nfrom tvm.script.tirx import tile as Tx\n",
    );
    assert!(labels(&file).contains(&"Tx".to_owned()));
    let members = labels(&file.replace("$0", "Tx.cta.$0"));
    assert!(members.contains(&"copy_async".to_owned()));
}

#[test]
fn keywords_of_every_overload_are_offered() {
    let items = labels(&prim("            x = T.reinterpret(vi, $0)"));
    assert!(items.contains(&"dtype=".to_owned()), "{items:?}");
    let items = labels(&prim("            x = A.access_ptr(\"r\", $0)"));
    assert!(items.contains(&"ptr_type=".to_owned()), "{items:?}");
}

#[test]
fn instruction_operands_have_no_keywords() {
    let keywords = |line: &str| -> Vec<String> {
        let items = labels(&prim(line)).into_iter();
        items.filter(|it| it.ends_with('=')).collect()
    };
    let of_load = keywords("            T.ptx.ld.global_.b32($0)");
    assert_eq!(of_load, ["pred=", "preserve_dst="]);
    let of_sum = keywords("            T.cuda.warp_sum($0)");
    assert_eq!(of_sum, ["value=", "width="]);
}
