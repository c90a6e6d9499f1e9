"""Imports the network from PyTorch, and compiles it. `relax-lsp record -o recording build.py` wrote `recording`."""

import torch
from model import trained
from passes import FoldBatchNorm
from tvm import relax
from tvm.relax.frontend.torch import from_exported_program

exported = torch.export.export(trained(), (torch.zeros(1, 1, 8, 8),))
mod = from_exported_program(exported)
for step in [FoldBatchNorm(), relax.transform.LegalizeOps(), relax.transform.FoldConstant()]:
    mod = step(mod)
