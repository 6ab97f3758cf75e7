-- Edits a model and prints what the language server says about it.
local function show(text)
  io.stderr:write(text .. '\n')
end

local function ask(method, line, character)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line - 1, character = character },
  }
  local replies = vim.lsp.buf_request_sync(0, 'textDocument/' .. method, params, 20000)
  for _, reply in pairs(replies or {}) do
    return reply.result
  end
end

-- Waits until the number of diagnostics fits.
local function await(fits)
  vim.wait(20000, function() return fits(#vim.diagnostic.get(0)) end)
end

local name = vim.fn.tempname() .. '.mlir'
vim.cmd('edit ' .. name)
vim.api.nvim_buf_set_lines(0, 0, -1, false, {
  'func.func @f(%x: tensor<4xf32> {tg.name = "x"})',
  '    -> (tensor<4xf32> {tg.name = "y"}) {',
  '  %y = tg.exq %x : tensor<4xf32>',
  '  return %y : tensor<4xf32>',
  '}',
})
await(function(count) return count > 0 and vim.diagnostic.get(0)[1].message:find('exq') end)
for _, found in ipairs(vim.diagnostic.get(0)) do
  show(('diagnostic in line %d: %s'):format(found.lnum + 1, found.message))
end
vim.api.nvim_buf_set_lines(0, 2, 3, false, { '  %y = tg.exp %x : tensor<4xf32>' })
await(function(count) return count == 0 end)
show('hover: ' .. ask('hover', 3, 8).contents.value)
show(('definition in line %d'):format(ask('definition', 3, 15)[1].range.start.line + 1))
local completes = false
for _, item in ipairs(ask('completion', 3, 12).items) do
  completes = completes or item.label == 'matmul'
end
show('completion: ' .. tostring(completes))
show('diagnostics: ' .. #vim.diagnostic.get(0))
vim.cmd('quitall!')
