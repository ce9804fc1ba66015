-- Opens a source in Neovim, whose own client starts "warpgrind lsp", and writes
-- what it shows to the file $OUT as JSON.
local out, tool, folder = os.getenv('OUT'), os.getenv('TOOL'), os.getenv('FOLDER')
local result = {}

local function finish(message)
  result.error = message
  local f = assert(io.open(out, 'w'))
  f:write(vim.fn.json_encode(result))
  f:close()
  vim.cmd('qall!')
end

local function diagnostics()
  local list = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(list, { line = d.lnum, col = d.col, end_col = d.end_col, severity = d.severity, code = d.code or d.user_data.lsp.code,
      source = d.source, message = d.message, related = #(d.user_data.lsp.relatedInformation or {}) })
  end
  return list
end

local function main()
  local client = vim.lsp.start_client({ name = 'warpgrind', cmd = { tool, 'lsp', '--run' }, root_dir = folder })
  if not client then return finish('the server does not start') end
  vim.lsp.buf_attach_client(0, client)
  if not vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20) then
    return finish('no diagnostics')
  end
  result.first = diagnostics()
  local race = result.first[1]

  local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = race.line, character = race.col },
  }, 20000)
  result.hover = answers and answers[client] and answers[client].result.contents.value

  answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = race.line, character = race.col }, ['end'] = { line = race.line, character = race.col } },
    context = { diagnostics = {} },
  }, 20000)
  local action = answers and answers[client] and answers[client].result[1]
  result.action = action and action.title

  -- Two lines above it: the finding goes with its line.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// one', '// two' })
  if not vim.wait(20000, function()
    local d = vim.diagnostic.get(0)[1]
    return d and d.lnum == race.line + 2
  end, 20) then
    return finish('the finding does not move')
  end
  result.moved = true
  if action then
    vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
    result.applied = vim.api.nvim_buf_get_lines(0, race.line, race.line + 1, false)[1]
  end

  -- A correct source that has not been run, whose barrier is deleted.
  vim.cmd('edit! ' .. folder .. '/fig1_fixed.cu')
  vim.lsp.buf_attach_client(0, client)
  local at = vim.fn.search('__syncthreads')
  result.clean = #vim.diagnostic.get(0)
  vim.api.nvim_buf_set_lines(0, at - 1, at, false, {})
  if not vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20) then
    return finish('nothing is said of what was typed')
  end
  result.typed = diagnostics()

  -- Saved, it is run, and the barrier comes back as a repair that was run.
  local saved = vim.loop.hrtime()
  vim.cmd('write')
  local repair
  vim.wait(120000, function()
    for _, d in ipairs(vim.diagnostic.get(0)) do
      local here = { line = d.lnum, character = d.col }
      local list = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
        textDocument = vim.lsp.util.make_text_document_params(), range = { start = here, ['end'] = here }, context = { diagnostics = {} },
      }, 20000)
      for _, a in ipairs(list and list[client] and list[client].result or {}) do
        if a.title:find('%(verified%)$') then repair = a end
      end
    end
    return repair ~= nil
  end, 100)
  if not repair then return finish('no repair is offered') end
  result.repair, result.seconds = repair.title, (vim.loop.hrtime() - saved) / 1e9
  vim.lsp.util.apply_workspace_edit(repair.edit, 'utf-16')
  result.repaired = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  if not vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20) then
    return finish('the finding stays after its repair')
  end
  vim.lsp.stop_client(client)
  finish(nil)
end

local ok, message = pcall(main)
if not ok then finish(message) end
