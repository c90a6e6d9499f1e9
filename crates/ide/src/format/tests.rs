//! Tests of formatting small programs, and of its idempotence.

use expect_test::{Expect, expect};
use text_size::TextRange;

use super::FormatOptions;
use crate::fixture::{Fixture, with_crlf};

const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

fn format(text: &str, line_length: Option<u32>, range: Option<TextRange>) -> String {
    let fixture = Fixture::new(text);
    let options = FormatOptions { line_length };
    let edit = fixture
        .analysis
        .format(fixture.file, range, options)
        .unwrap();
    edit.apply(&fixture.text)
}

fn formatted(program: &str, line_length: Option<u32>) -> String {
    let once = format(&format!("{IMPORTS}{program}"), line_length, None);
    let twice = format(&once, line_length, None);
    assert_eq!(once, twice, "the second time it is another");
    once.strip_prefix(IMPORTS).unwrap().to_owned()
}

fn check(program: &str, expect: Expect) {
    expect.assert_eq(&formatted(program, Some(60)));
}

fn unchanged(program: &str) {
    assert_eq!(formatted(program, Some(60)), program);
}

#[test]
fn spaces_are_those_of_the_printer_of_tvm() {
    check(
        r#"@R.function( pure = False )
def f (x :R.Tensor( ("n",4) ,dtype = 'float32'),k:int=3)->R.Tensor:
    n=T.int64( )
    y=R.add( x,R.const( -1.0 , 'float32' ) )
    z:R.Tensor=f(y,k = A [ 0:n*2,m ] )  ;w = x [ 0 ]
    v=not a and-b**2 if a<=b else ~ c;u={ 'a':1 , **d }
    g=lambda i,j : ( i,*j )
    return(z,w)
"#,
        expect![[r#"
            @R.function(pure=False)
            def f(
                x: R.Tensor(("n", 4), dtype="float32"), k: int = 3
            ) -> R.Tensor:
                n = T.int64()
                y = R.add(x, R.const(-1.0, "float32"))
                z: R.Tensor = f(y, k=A[0:n * 2, m])
                w = x[0]
                v = not a and -b ** 2 if a <= b else ~c
                u = {"a": 1, **d}
                g = lambda i, j: (i, *j)
                return (z, w)
        "#]],
    );
}

#[test]
fn a_long_call_has_its_arguments_on_their_own_line() {
    check(
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    lv = R.call_tir(cls.fused_add, (x, y), out_sinfo=R.Tensor((4,)))
    return lv
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                lv = R.call_tir(
                    cls.fused_add, (x, y), out_sinfo=R.Tensor((4,))
                )
                return lv
        "#]],
    );
}

#[test]
fn overlong_arguments_have_one_line_each() {
    check(
        r#"@R.function
def f(x: R.Tensor((1, 128, 256), "float32"), weight: R.Tensor((256, 256), "float32")) -> R.Tensor((1, 128, 256), "float32"):
    lv = R.call_tir(cls.fused_add, (x, y, z, weight), out_sinfo=R.Tensor((1, 128, 256), "float32"))
    return lv
"#,
        expect![[r#"
            @R.function
            def f(
                x: R.Tensor((1, 128, 256), "float32"),
                weight: R.Tensor((256, 256), "float32")
            ) -> R.Tensor((1, 128, 256), "float32"):
                lv = R.call_tir(
                    cls.fused_add,
                    (x, y, z, weight),
                    out_sinfo=R.Tensor((1, 128, 256), "float32")
                )
                return lv
        "#]],
    );
}

#[test]
fn a_trailing_comma_keeps_one_element_per_line() {
    check(
        r#"@R.function
def f(x: R.Tensor((4,), "float32"),):
    y = R.concat((x, x,), axis=0)
    return y
"#,
        expect![[r#"
            @R.function
            def f(
                x: R.Tensor((4,), "float32"),
            ):
                y = R.concat(
                    (
                        x,
                        x,
                    ),
                    axis=0
                )
                return y
        "#]],
    );
}

#[test]
fn broken_lines_that_fit_are_joined() {
    check(
        r#"@R.function
def f(
    x: R.Tensor((4,), "float32")
):
    y = R.add(
        x,
        x
    )
    return y
"#,
        expect![[r#"
            @R.function
            def f(x: R.Tensor((4,), "float32")):
                y = R.add(x, x)
                return y
        "#]],
    );
}

#[test]
fn comments_keep_their_position() {
    check(
        r#"@R.function # why
# between
def f( # first
    x: R.Tensor((4,), "float32"), # of x
    # before y
    y: R.Tensor((4,), "float32")
    # at the end
):# body

    # leading


    z = R.add(x, y)# sum
      # of f
    return z # done
"#,
        expect![[r#"
            @R.function  # why
            # between
            def f(  # first
                x: R.Tensor((4,), "float32"),  # of x
                # before y
                y: R.Tensor((4,), "float32")
                # at the end
            ):  # body
                # leading

                z = R.add(x, y)  # sum
                # of f
                return z  # done
        "#]],
    );
}

#[test]
fn a_comment_belongs_to_the_suite_of_its_indentation() {
    check(
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
  for i in range(4):
      A[i] = A[i]
      # of the loop
  # of the function
  T.evaluate(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    A[i] = A[i]
                    # of the loop
                # of the function
                T.evaluate(0)
        "#]],
    );
}

#[test]
fn blank_lines_in_modules_are_normalized() {
    check(
        r#"@I.ir_module
class Module:

    I.module_attrs({"a": 1})
    @R.function
    def f(x: R.Tensor((4,), "float32")):

        y = R.exp(x)


        return y
    # about g

    @R.function
    def g(x: R.Tensor((4,), "float32")):
        return x



    @T.prim_func
    def h(A: T.Buffer((4,), "float32")):
        T.evaluate(0)
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                I.module_attrs({"a": 1})

                @R.function
                def f(x: R.Tensor((4,), "float32")):
                    y = R.exp(x)

                    return y

                # about g

                @R.function
                def g(x: R.Tensor((4,), "float32")):
                    return x

                @T.prim_func
                def h(A: T.Buffer((4,), "float32")):
                    T.evaluate(0)
        "#]],
    );
}

#[test]
fn statements_on_one_line_are_split() {
    check(
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4): A[i] = 1.0; A[i] = 2.0;  # both
    T.evaluate(0)
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    A[i] = 1.0
                    A[i] = 2.0  # both
                T.evaluate(0)
        "#]],
    );
}

#[test]
fn plain_python_is_not_formatted() {
    unchanged(
        r#"x = {  'a':1 }
class Plain:
  def f(self) : return  1

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        return x

    @I.pyfunc
    def g(  x ):
        return  x  # 1
      # 2


def test( ) :
    pass
"#,
    );
}

#[test]
fn only_functions_without_syntax_errors_are_formatted() {
    check(
        r#"@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), "float32")):
        y = R.add(x,
        return   y

    @R.function
    def g(x: R.Tensor((4,), "float32")):
        return   x
"#,
        expect![[r#"
            @I.ir_module
            class Module:
                @R.function
                def f(x: R.Tensor((4,), "float32")):
                    y = R.add(x,
                    return   y

                @R.function
                def g(x: R.Tensor((4,), "float32")):
                    return x
        "#]],
    );
}

#[test]
fn strings_of_several_lines_keep_their_text() {
    unchanged(
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    T.call_kernel("""
  int main() {
      return 0;
  }""",   1)
"#,
    );
}

#[test]
fn continued_lines_move_as_a_whole() {
    check(
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
  for i in range(4):
    A[i] = A[i] + \
        A[i]
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    A[i] = A[i] + \
                        A[i]
        "#]],
    );
}

#[test]
fn formatting_can_be_switched_off() {
    unchanged(
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    return x

# fmt: off
@R.function
def g(x: R.Tensor((4,), "float32")):
    return   x
# fmt: on
"#,
    );
    unchanged(
        r#"@R.function
def f(x: R.Tensor((4,), "float32")):
    y =   R.exp(x)  # fmt: skip
    return y
"#,
    );
}

#[test]
fn without_a_limit_no_line_is_broken() {
    let program = r#"@R.function
def f(x: R.Tensor((1, 128, 256), "float32"), weight: R.Tensor((256, 256), "float32")) -> R.Tensor((1, 128, 256), "float32"):
    return R.matmul(x, weight)
"#;
    assert_eq!(formatted(program, None), program);
}

#[test]
fn a_function_inside_python_code_keeps_its_column() {
    check(
        r#"def test():
    @I.ir_module
    class Module:
      @R.function
      def f(x: R.Tensor((4,), "float32")):
            return   x

    check( Module )
"#,
        expect![[r#"
            def test():
                @I.ir_module
                class Module:
                    @R.function
                    def f(x: R.Tensor((4,), "float32")):
                        return x

                check( Module )
        "#]],
    );
}

#[test]
fn a_range_formats_the_lines_it_touches() {
    let text = format!(
        "{IMPORTS}@R.function\ndef f(x:R.Tensor):\n    y=R.exp(x)\n    z=R.exp(y)\n    return z\n"
    );
    let at = text.find("R.exp(y)").unwrap() as u32;
    let range = TextRange::empty(at.into());
    let once = format(&text, Some(60), Some(range));
    assert_eq!(once, text.replace("z=R.exp(y)", "z = R.exp(y)"));
}

#[test]
fn a_range_in_a_suite_that_moves_formats_all_of_the_function() {
    let text = format!("{IMPORTS}@R.function\ndef f(x: R.Tensor):\n  y = R.exp(x)\n  return   y\n");
    let at = text.find("R.exp(x)").unwrap() as u32;
    let once = format(&text, Some(60), Some(TextRange::empty(at.into())));
    assert_eq!(once, format(&text, Some(60), None));
}

#[test]
fn line_ends_stay_those_of_the_file() {
    let text = with_crlf(&format!(
        "{IMPORTS}@R.function\ndef f(x: R.Tensor):\n    return   x\n"
    ));
    let expected = text.replace("return   x", "return x");
    assert_eq!(format(&text, Some(60), None), expected);
}

#[test]
fn in_brackets_a_long_line_ends_before_its_loosest_operators() {
    check(
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i] = T.if_then_else(T.int64(0) <= i and i < T.int64(4) and T.int64(0) <= i * 2 or A[i] == T.float32(0), A[i * 2 + 100000] * A[i * 3 + 100000] + A[i * 4 + 100000], -A[0])
        A[i] = (first_of_all_values + second_of_all_values) * third_of_all_values
        A[i] = T.max((first_of_all_values + second_of_all_values) * third_of_all_values, A[0])
        values = [some_long_function(element) for element in elements if element is not None]
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    A[i] = T.if_then_else(
                        T.int64(0) <= i
                        and i < T.int64(4)
                        and T.int64(0) <= i * 2
                        or A[i] == T.float32(0),
                        A[i * 2 + 100000] * A[i * 3 + 100000]
                        + A[i * 4 + 100000],
                        -A[0]
                    )
                    A[i] = (
                        first_of_all_values + second_of_all_values
                    ) * third_of_all_values
                    A[i] = T.max(
                        (first_of_all_values + second_of_all_values)
                        * third_of_all_values,
                        A[0]
                    )
                    values = [
                        some_long_function(element)
                        for element in elements
                        if element is not None
                    ]
        "#]],
    );
}

#[test]
fn the_value_of_a_binding_is_broken_before_its_target() {
    check(
        r#"@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i0_1, i1_1, i2_1, i3_1] = rxplaceholder[i0_1, i4_1]
"#,
        expect![[r#"
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    B[i0_1, i1_1, i2_1, i3_1] = rxplaceholder[
                        i0_1, i4_1
                    ]
        "#]],
    );
}
