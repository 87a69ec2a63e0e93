#!/usr/bin/env bash
# Everything a fresh laptop needs, in the order in which I miss it.
set -euo pipefail
brew install git neovim fzf ripgrep node go python@3.11
brew install --cask alacritty
git clone https://example.org/rex/dotfiles.git "$HOME/.dotfiles"
ln -sf "$HOME/.dotfiles/zshrc" "$HOME/.zshrc"
echo "Now copy the keys by hand from the stick in the drawer."
