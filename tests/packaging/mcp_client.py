"""Calls every tool of `relax-lsp mcp` once: mcp_client.py RELAX_LSP REPOSITORY."""

import asyncio
import json
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

program, root = sys.argv[1], Path(sys.argv[2])
mistakes, mlp = str(root / "examples/mistakes.py"), str(root / "examples/mlp.py")
stages = root / "tests/fixtures/passes/mlp"

CALLS = {
    "check": ({"path": mistakes}, lambda text: "shape-mismatch" in json.dumps(json.loads(text))),
    "facts": ({"path": mlp}, lambda text: json.loads(text)["functions"]),
    "explain": ({"code": "shape-mismatch"}, lambda text: text.startswith("# shape-mismatch")),
    "run": (
        {"path": mlp, "function": "Perceptron.forward", "dims": {"batch": 2}},
        lambda text: json.loads(text),
    ),
    "diff": ({"before": mlp, "after": mistakes}, lambda text: json.loads(text)),
    "passes": ({"folder": str(stages), "run": True, "dims": {"batch": 2}}, lambda text: len(json.loads(text)["stages"]) > 20),
    "migrate": ({"path": mlp, "to": "0.25"}, lambda text: "R.function" in text),
}


async def main():
    server = StdioServerParameters(command=program, args=["mcp", str(root)])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        listed = {tool.name for tool in (await session.list_tools()).tools}
        assert listed == set(CALLS), listed
        for name, (arguments, holds) in CALLS.items():
            result = await session.call_tool(name, arguments)
            text = result.content[0].text
            failed = getattr(result, "isError", None) or getattr(result, "is_error", None)
            assert not failed, (name, text)
            assert holds(text), (name, text)
        print(f"{len(CALLS)} tools called")


asyncio.run(main())
