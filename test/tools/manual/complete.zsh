# Completes a command line in an interactive zsh, and prints the completed line.
#
#   complete.zsh DIRECTORY LINE
#
# DIRECTORY has the completion functions.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='ready> '; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell "finish() { print -r -- \"line:\$BUFFER\"; BUFFER=; zle accept-line; }; zle -N finish; bindkey '^X' finish; bindkey '^I' expand-or-complete; print -r loaded:done"
zpty -r shell shown $'*loaded:done\r\n*'
zpty -w -n shell "$2"$'\t'$'\x18'
zpty -r shell shown $'*line:*\r*\n*'
print -r -- "${shown##*line:}"
zpty -d shell
