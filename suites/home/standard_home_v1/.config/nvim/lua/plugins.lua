-- Fetched once, pinned, updated on rainy days.
local plugins = {
  "nvim-telescope/telescope.nvim",
  "nvim-lua/plenary.nvim",
  "neovim/nvim-lspconfig",
  "tpope/vim-surround",
}

for _, name in ipairs(plugins) do
  vim.cmd.packadd(name:match("/(.+)$"))
end

require("lspconfig").clangd.setup({})
require("lspconfig").gopls.setup({})
