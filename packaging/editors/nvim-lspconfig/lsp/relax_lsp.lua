---@brief
---
--- https://github.com/OWNER/relax-lsp
---
--- Language server for Relax and TVMScript, the IR of Apache TVM, in Python files. It answers nothing in files without
--- TVMScript, so it runs beside any other Python server.
---
--- `relax-lsp` comes with each release, as a wheel and as an archive:
--- https://github.com/OWNER/relax-lsp/releases
---
--- Dimensions for `▶ Run`, the release of TVM and the severity of each code are settings:
---
--- ```lua
--- vim.lsp.config('relax_lsp', {
---   settings = {
---     relax = { run = { defaultDim = 16 } },
---   },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'relax-lsp', 'lsp' },
  filetypes = { 'python' },
  root_markers = { 'relax-lsp.toml', 'pyproject.toml', 'setup.py', '.git' },
  settings = {},
}
