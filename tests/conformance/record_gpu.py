"""Prints a module as TVM schedules it for a GPU: `tests/fixtures/gpu`, one file for each step of the lowering.

Run with the Python of TVM 0.27: `python tests/conformance/record_gpu.py`. It needs no GPU.
"""

from pathlib import Path

import tvm
from tvm import relax, s_tir, tirx
from tvm.s_tir import dlight
from tvm.script import ir as I
from tvm.script import relax as R

FIXTURES = Path(__file__).parent.parent / "fixtures" / "gpu"


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((6, 80), "float32"),
        w: R.Tensor((80, 48), "float32"),
        g: R.Tensor((80,), "float32"),
        b: R.Tensor((80,), "float32"),
    ):
        with R.dataflow():
            n = R.nn.layer_norm(x, g, b, axes=[-1])
            h = R.matmul(n, w)
            p = R.nn.softmax(h, axis=-1)
            a = R.argmax(p, axis=1)
            s = R.mean(p, axis=[1])
            t = R.permute_dims(p)
            R.output(a, s, t)
        return (a, s, t)


def legalized(mod):
    return tvm.ir.transform.Sequential(
        [
            relax.transform.LegalizeOps(),
            relax.transform.AnnotateTIROpPattern(),
            relax.transform.FoldConstant(),
            relax.transform.FuseOps(),
            relax.transform.FuseTIR(),
            relax.transform.DeadCodeElimination(),
        ]
    )(mod)


def scheduled(mod):
    gpu = dlight.gpu
    rules = [gpu.Matmul, gpu.GEMV, gpu.Reduction, gpu.GeneralReduction, gpu.Transpose, gpu.Fallback]
    return dlight.ApplyDefaultSchedule(*[rule() for rule in rules])(mod)


def unified(mod):
    low = s_tir.transform
    return tvm.ir.transform.Sequential(
        [
            tirx.transform.BindTarget(tvm.target.Target.current()),
            low.CanonicalizeLoop(),
            low.LowerCrossThreadReduction(),
            low.LowerInitBlock(),
            low.PlanAndUpdateBufferAllocationLocation(),
            low.ConvertBlocksToOpaque(),
            low.LiftThreadBinding(),
            low.ManifestSharedMemoryLocalStage(),
            low.CompactBufferAllocation(),
            low.LowerAutoCopy(),
            low.UnifyThreadBinding(),
        ]
    )(mod)


def flat(mod):
    low, tir = s_tir.transform, tirx.transform
    return tvm.ir.transform.Sequential(
        [
            low.LowerMatchBuffer(),
            low.StmtSimplify(),
            low.LowerOpaqueBlock(),
            tir.FlattenBuffer(),
            tir.NarrowDataType(32),
            low.LoopPartition(),
            tir.VectorizeLoop(True),
            low.InjectVirtualThread(),
            tir.StorageRewrite(),
            tir.StmtSimplify(),
            tir.RemoveNoOp(),
            tir.CommonSubexprElim(),
            low.ThreadSync("shared"),
        ]
    )(mod)


def lowered(mod):
    return s_tir.transform.LowerThreadAllreduce()(mod)


def write(step, mod):
    for name, func in mod.functions.items():
        for key in ("op_pattern", "target", "tirx.is_scheduled", "tirx.is_entry_func"):
            if isinstance(func, tirx.PrimFunc) and func.attrs and key in func.attrs:
                func = func.without_attr(key)
        mod[name] = func
    (FIXTURES / f"{step}.tvm-0.27.py").write_text(mod.script() + "\n")


def main():
    mod = Module
    with tvm.target.Target("nvidia/geforce-rtx-3070"):
        for step in (legalized, scheduled, unified, flat, lowered):
            mod = step(mod)
            write(step.__name__, tvm.IRModule(dict(mod.functions)))


if __name__ == "__main__":
    main()
