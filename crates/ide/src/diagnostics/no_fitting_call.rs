//! `no-fitting-call`

use relax::Code;

use super::Page;

pub const PAGE: Page = Page {
    code: Code::NoFittingCall,
    rule: "A function that is called several times and that no call fits is probably wrong itself. Each call is reported as well.",
    source: "the product; TVM stops at the first call",
    wrong: r#"@I.ir_module
class Module:
    @R.function(private=True)
    def double(x: R.Tensor((4,), "float32")):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        y = cls.double(x)
        z = cls.double(x)
        return R.multiply(y, z)
"#,
    right: r#"@I.ir_module
class Module:
    @R.function(private=True)
    def double(x: R.Tensor((8,), "float32")):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        cls = Module
        y = cls.double(x)
        z = cls.double(x)
        return R.multiply(y, z)
"#,
    fix: "Correct the parameters of the function, or what its calls pass.",
};
