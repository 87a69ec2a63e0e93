-- Neovim: as little as I can live with.

vim.g.mapleader = " "

local opt = vim.opt
opt.number = true
opt.relativenumber = true
opt.expandtab = true
opt.shiftwidth = 4
opt.ignorecase = true
opt.smartcase = true
opt.undofile = true
opt.signcolumn = "yes"
opt.scrolloff = 6

local map = vim.keymap.set
map("n", "<leader>w", "<cmd>write<cr>")
map("n", "<leader>f", "<cmd>Telescope find_files hidden=true<cr>")
map("n", "<leader>g", "<cmd>Telescope live_grep<cr>")
map("n", "<Esc>", "<cmd>nohlsearch<cr>")

vim.api.nvim_create_autocmd("TextYankPost", {
  callback = function() vim.highlight.on_yank({ timeout = 150 }) end,
})

require("plugins")
vim.cmd.colorscheme("habamax")
