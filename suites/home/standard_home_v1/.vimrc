" For machines without Neovim.
syntax on
set number ignorecase smartcase
set expandtab shiftwidth=4
set scrolloff=6
