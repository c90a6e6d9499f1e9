-- Neovim's own client against the server, headless: what a user sees, from Neovim's point of view.
--   FILE=mlp.py LSPCONFIG=packaging/editors/nvim-lspconfig/lsp/relax_lsp.lua nvim --headless -u NONE -i NONE -n -S neovim.lua
-- Works from 0.7 (Debian 12) on; what an older Neovim cannot show is asked for raw.

local failed = 0

local function say(line)
  io.stdout:write(line .. '\n')
end

-- The limit is for a machine that is busy with other work.
local function wait(what, probe)
  local found
  local there = vim.wait(180000, function()
    found = probe()
    return found ~= nil and found ~= false
  end, 20)
  if not there then
    error('waited for ' .. what, 0)
  end
  return found
end

local function step(what, act)
  local ok, note = pcall(act)
  if ok then
    say(('  ok   %s%s'):format(what, note and ': ' .. tostring(note):gsub('%s+', ' ') or ''))
  else
    failed = failed + 1
    say(('  FAIL %s: %s'):format(what, tostring(note)))
  end
end

local version = vim.version()
say(('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch))

vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))
vim.bo.filetype = 'python'
local buffer = vim.api.nvim_get_current_buf()
local window = vim.api.nvim_get_current_win()
local exited, published, messages = nil, 0, {}

vim.lsp.handlers['$/progress'] = function(_, result)
  table.insert(messages, ('%s %s'):format(result.value.kind, result.value.title or result.value.message or ''))
end
vim.api.nvim_create_autocmd('DiagnosticChanged', {
  callback = function()
    published = published + 1
  end,
})

-- What nvim-lspconfig is to have.
local config = dofile(vim.env.LSPCONFIG)

local client
step('the server starts', function()
  assert(vim.tbl_contains(config.filetypes, vim.bo.filetype))
  local id = assert(vim.lsp.start_client({
    name = 'relax_lsp',
    cmd = config.cmd,
    settings = config.settings,
    root_dir = vim.fn.fnamemodify(vim.env.FILE, ':p:h'),
    on_exit = function(code)
      exited = code
    end,
  }))
  vim.lsp.buf_attach_client(buffer, id)
  client = vim.lsp.get_client_by_id(id)
  wait('initialize', function()
    return client.initialized
  end)
  return client.offset_encoding
end)

local function search(pattern)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(pattern)
    if column then
      return number, column - 1
    end
  end
  error(pattern .. ' is not in the file', 0)
end

local function put_cursor(pattern, offset)
  local line, column = search(pattern)
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_win_set_cursor(window, { line, column + (offset or 0) })
  return line
end

local function ask(method, params)
  local answers = assert(vim.lsp.buf_request_sync(buffer, method, params, 180000))
  return assert(answers[client.id].result, method)
end

local function document()
  return { uri = vim.uri_from_bufnr(buffer) }
end

local function replace(pattern, with)
  local line = search(pattern)
  local text = vim.api.nvim_buf_get_lines(buffer, line - 1, line, false)[1]
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { (text:gsub(pattern, with)) })
end

-- There may be others for a moment: of the text in the middle of an edit.
local function misspelt()
  replace('nn%.relu', 'nn.rellu')
  return wait('a diagnostic', function()
    for _, found in ipairs(vim.diagnostic.get(buffer)) do
      if found.message:find('nn.rellu', 1, true) then
        return found
      end
    end
  end)
end

step('a mistake becomes a diagnostic, and goes with its correction', function()
  assert(#vim.diagnostic.get(buffer) == 0)
  local found = misspelt()
  replace('nn%.rellu', 'nn.relu')
  wait('none', function()
    return #vim.diagnostic.get(buffer) == 0
  end)
  return found.message
end)

step('hover opens a float with the StructInfo', function()
  put_cursor('%(active, w2', 1)
  vim.lsp.buf.hover()
  local text = wait('a float', function()
    for _, candidate in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(candidate).relative ~= '' then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(candidate), 0, -1, false)
        vim.api.nvim_win_close(candidate, true)
        return table.concat(lines, '\n')
      end
    end
  end)
  assert(text:find('batch, 32', 1, true), text)
  return text:match('[^\n]*batch, 32[^\n]*')
end)

step('definition goes to the binding', function()
  put_cursor('%(active, w2', 1)
  local target = search('active = ')
  vim.lsp.buf.definition()
  wait('the cursor there', function()
    return vim.api.nvim_win_get_cursor(window)[1] == target
  end)
end)

step('document symbols name module and functions', function()
  local items = vim.lsp.util.symbols_to_items(ask('textDocument/documentSymbol', { textDocument = document() }), buffer)
  local text = table.concat(
    vim.tbl_map(function(item)
      return item.text
    end, items),
    ' '
  )
  assert(text:find('Module', 1, true) and text:find('forward', 1, true) and text:find('narrow', 1, true), text)
end)

step('inlay hints are answered', function()
  local last = vim.api.nvim_buf_line_count(buffer)
  local range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } }
  local hints = ask('textDocument/inlayHint', { textDocument = document(), range = range })
  assert(#hints >= 4, #hints)
  return #hints
end)

local function lenses()
  vim.lsp.codelens.refresh()
  return vim.lsp.codelens.get(buffer)
end

step('a lens stands over every function', function()
  local count = wait('three lenses', function()
    local runs = vim.tbl_filter(function(lens)
      return lens.command and lens.command.title:find('Run', 1, true)
    end, lenses())
    return #runs == 3 and #runs
  end)
  return count
end)

-- A line with several lenses asks which.
local function choose(title)
  vim.ui.select = function(lenses, options, chosen)
    for at, lens in ipairs(lenses) do
      if options.format_item(lens):find(title, 1, true) then
        return chosen(lens, at)
      end
    end
  end
end

step('running the lens reports progress, and its outcome becomes a lens', function()
  put_cursor('def forward')
  local before = #lenses()
  choose('Run')
  vim.lsp.codelens.run()
  wait('the end of the run', function()
    return messages[#messages] and messages[#messages]:find('^end')
  end)
  local outcome = wait('the outcome', function()
    local found = lenses()
    if #found > before then
      for _, lens in ipairs(found) do
        if lens.command and lens.command.title:find("✓", 1, true) then
          return lens.command.title
        end
      end
    end
  end)
  return table.concat(messages, ' | ') .. ' | ' .. outcome
end)

step('tracing puts what each value was behind it', function()
  put_cursor('def forward')
  choose('Trace')
  vim.lsp.codelens.run()
  local whole = { start = { line = 0, character = 0 }, ['end'] = { line = vim.api.nvim_buf_line_count(buffer), character = 0 } }
  local notes = wait('notes', function()
    local hints = ask('textDocument/inlayHint', { textDocument = document(), range = whole })
    local notes = vim.tbl_filter(function(hint)
      return type(hint.label) == 'string' and hint.label:find(' · ', 1, true)
    end, hints)
    return #notes > 0 and notes
  end)
  return notes[1].label
end)

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local function becomes(pattern)
  wait(pattern, function()
    return text():find(pattern)
  end)
end

step('rename changes every use', function()
  put_cursor('hidden = ')
  vim.lsp.buf.rename('inner')
  becomes('inner = .*relu%(inner%)')
end)

step('a quick fix mends a misspelt operator', function()
  local found = misspelt()
  local offered = {}
  vim.ui.select = function(items, options, choose)
    offered = vim.tbl_map(options.format_item, items)
    for number, title in ipairs(offered) do
      if title:find('to `nn.relu`', 1, true) then
        choose(items[number], number)
      end
    end
  end
  -- As a user asks again where a slow machine has offered nothing yet.
  for _ = 1, 12 do
    vim.api.nvim_win_set_cursor(window, { found.lnum + 1, found.col })
    vim.lsp.buf.code_action()
    local mended = vim.wait(15000, function()
      return text():find('nn%.relu%(')
    end, 20)
    if mended then
      return table.concat(offered, ' | ')
    end
  end
  error('offered: ' .. table.concat(offered, ' | '), 0)
end)

step('formatting puts spaces right', function()
  replace('R%.nn%.relu%(inner%)', 'R.nn.relu( inner )')
  local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
  format()
  becomes('R%.nn%.relu%(inner%)')
end)

step('the server leaves when asked', function()
  vim.lsp.stop_client(client.id)
  wait('its exit', function()
    return exited ~= nil
  end)
  assert(exited == 0, exited)
end)

vim.cmd(failed == 0 and 'quitall!' or 'cquit! 1')
