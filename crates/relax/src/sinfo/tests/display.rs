//! Tests of the spelling of StructInfo in each dialect.

use std::fmt::Write;

use expect_test::expect;

use super::{lines, sinfo};
use crate::dialect::Dialect;

#[test]
fn each_dialect_has_its_own_notation() {
    let mut text = String::new();
    for line in lines(
        "
        Tensor((n, 4), float32)
        Tensor((n,), float32)
        Tensor((), int64)
        Tensor((n * 2 + 1, m))
        Tensor(ndim=2, dtype=float32)
        Tensor(dtype=float32)
        Tensor()
        Tensor((4,), float32, vdevice=llvm:0:global)
        Tensor(shape=s, ndim=2, dtype=float32)
        Shape((n, 4))
        Shape(())
        Shape(ndim=2)
        Shape()
        Prim(int64)
        Prim(int64, n)
        Object
        String
        Unknown
        Tuple()
        Tuple(Tensor((2,), float32), Shape((n,)))
        Callable((Tensor((n,), float32)), Tensor((n,), float32), pure)
        Callable((Object, Object), Object, impure)
        Callable(opaque, impure)
        Callable(opaque, Tensor(), pure)
        DTensor((4, 4), float32, mesh[0], S[0])
        DTensor(ndim=2, dtype=float32, mesh[0], R)
        ",
    ) {
        let info = sinfo(line);
        writeln!(text, "{line}").unwrap();
        for dialect in Dialect::ALL {
            writeln!(text, "    {}", info.display(dialect)).unwrap();
        }
        writeln!(text, "    {}", info.brief()).unwrap();
    }
    expect![[r#"
        Tensor((n, 4), float32)
            R.Tensor[(n, 4), "float32"]
            R.Tensor((n, 4), dtype="float32")
            R.Tensor((n, 4), dtype="float32")
            Tensor((n, 4), float32)
        Tensor((n,), float32)
            R.Tensor[(n,), "float32"]
            R.Tensor((n,), dtype="float32")
            R.Tensor((n,), dtype="float32")
            Tensor((n,), float32)
        Tensor((), int64)
            R.Tensor[(), "int64"]
            R.Tensor((), dtype="int64")
            R.Tensor((), dtype="int64")
            Tensor((), int64)
        Tensor((n * 2 + 1, m))
            R.Tensor[(n * 2 + 1, m), _]
            R.Tensor((n * 2 + 1, m))
            R.Tensor((n * 2 + 1, m))
            Tensor((n * 2 + 1, m))
        Tensor(ndim=2, dtype=float32)
            R.Tensor[_, "float32"]
            R.Tensor(dtype="float32", ndim=2)
            R.Tensor(dtype="float32", ndim=2)
            Tensor(ndim=2, float32)
        Tensor(dtype=float32)
            R.Tensor[_, "float32"]
            R.Tensor(dtype="float32")
            R.Tensor(dtype="float32")
            Tensor(float32)
        Tensor()
            R.Tensor
            R.Tensor
            R.Tensor
            Tensor
        Tensor((4,), float32, vdevice=llvm:0:global)
            R.Tensor[(4,), "float32"]
            R.Tensor((4,), dtype="float32", vdevice="llvm:0:global")
            R.Tensor((4,), dtype="float32", vdevice="llvm:0:global")
            Tensor((4,), float32, llvm:0:global)
        Tensor(shape=s, ndim=2, dtype=float32)
            R.Tensor[s, "float32"]
            R.Tensor(s, dtype="float32")
            R.Tensor(s, dtype="float32")
            Tensor(s, float32)
        Shape((n, 4))
            R.Shape[(n, 4)]
            R.Shape([n, 4])
            R.Shape([n, 4])
            Shape((n, 4))
        Shape(())
            R.Shape[()]
            R.Shape([])
            R.Shape([])
            Shape(())
        Shape(ndim=2)
            R.Shape
            R.Shape(ndim=2)
            R.Shape(ndim=2)
            Shape(ndim=2)
        Shape()
            R.Shape
            R.Shape(ndim=-1)
            R.Shape(ndim=-1)
            Shape
        Prim(int64)
            R.Prim("int64")
            R.Prim("int64")
            R.Prim("int64")
            Prim(int64)
        Prim(int64, n)
            R.Prim("int64")
            R.Prim(value=n)
            R.Prim("int64")
            Prim(int64, n)
        Object
            R.Object
            R.Object
            R.Any
            Object
        String
            R.Object
            R.Object
            R.Any
            String
        Unknown
            ?
            ?
            ?
            ?
        Tuple()
            R.Tuple
            R.Tuple
            R.Tuple
            Tuple()
        Tuple(Tensor((2,), float32), Shape((n,)))
            R.Tuple[R.Tensor[(2,), "float32"], R.Shape[(n,)]]
            R.Tuple(R.Tensor((2,), dtype="float32"), R.Shape([n]))
            R.Tuple(R.Tensor((2,), dtype="float32"), R.Shape([n]))
            Tuple(Tensor((2,), float32), Shape((n,)))
        Callable((Tensor((n,), float32)), Tensor((n,), float32), pure)
            R.Callable[(R.Tensor[(n,), "float32"],), R.Tensor[(n,), "float32"]]
            R.Callable((R.Tensor((n,), dtype="float32"),), R.Tensor((n,), dtype="float32"), True)
            R.Callable((R.Tensor((n,), dtype="float32"),), R.Tensor((n,), dtype="float32"), True)
            Callable((Tensor((n,), float32)) -> Tensor((n,), float32))
        Callable((Object, Object), Object, impure)
            R.Callable[(R.Object, R.Object), R.Object]
            R.Callable((R.Object, R.Object), R.Object, False)
            R.Callable((R.Any, R.Any), R.Any, False)
            Callable((Object, Object) -> Object, impure)
        Callable(opaque, impure)
            R.Callable
            R.Callable
            R.Callable
            Callable(... -> Object, impure)
        Callable(opaque, Tensor(), pure)
            R.Callable(ret=R.Tensor, purity=True)
            R.Callable(ret=R.Tensor, purity=True)
            R.Callable(ret=R.Tensor, purity=True)
            Callable(... -> Tensor)
        DTensor((4, 4), float32, mesh[0], S[0])
            R.DTensor((4, 4), "float32", "mesh[0]", "S[0]")
            R.DTensor((4, 4), "float32", "mesh[0]", "S[0]")
            R.DTensor((4, 4), "float32", "mesh[0]", "S[0]")
            DTensor((4, 4), float32, mesh[0], S[0])
        DTensor(ndim=2, dtype=float32, mesh[0], R)
            R.DTensor(dtype="float32", device_mesh="mesh[0]", placement="R", ndim=2)
            R.DTensor(dtype="float32", device_mesh="mesh[0]", placement="R", ndim=2)
            R.DTensor(dtype="float32", device_mesh="mesh[0]", placement="R", ndim=2)
            DTensor(ndim=2, float32, mesh[0], R)
    "#]]
    .assert_eq(&text);
}
