# --- dt_axis
from tvm.script.parser import ir as I, relax as R, tirx as T
@I.ir_module
class M:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.DTensor((4, 4), "float32", "mesh[0]", "S[2], R")):
        return x

# --- dt_placement_bad
from tvm.script.parser import ir as I, relax as R, tirx as T
@I.ir_module
class M:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.DTensor((4, 4), "float32", "mesh[0]", "Q, R")):
        return x

# --- dt_no_placement
from tvm.script.parser import ir as I, relax as R, tirx as T
@I.ir_module
class M:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})
    @R.function
    def main(x: R.DTensor((4, 4), "float32", "mesh[0]")):
        return x
