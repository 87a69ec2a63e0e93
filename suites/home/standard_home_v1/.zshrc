# Prompt
autoload -Uz promptinit && promptinit
PROMPT='%F{cyan}%1~%f %# '

# Where programs are
export PATH="$HOME/.local/bin:$HOME/.cargo/bin:/opt/homebrew/bin:$PATH"
export EDITOR=nvim
export PAGER="less -FRX"
export LANG=en_GB.UTF-8

# History
HISTFILE=~/.zsh_history
HISTSIZE=50000
SAVEHIST=50000
setopt share_history hist_ignore_dups hist_reduce_blanks

# Completion
autoload -Uz compinit && compinit
zstyle ':completion:*' menu select
setopt auto_cd no_beep

# Shortcuts
alias ll='ls -lAh'
alias gs='git status --short'
alias gd='git diff'
alias vim=nvim
alias serve='python3 -m http.server 8000'
alias ..='cd ..'

mkcd() { mkdir -p "$1" && cd "$1"; }

# Node
export NVM_DIR="$HOME/.nvm"
source ~/.nvm/nvm.sh

[ -f ~/.fzf.zsh ] && source ~/.fzf.zsh
