# Completes a command line in an interactive zsh, and prints the completed line.
#
#   complete.zsh DIRECTORY LINE
#
# DIRECTORY has the completion functions.
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
# ^X prints the line instead of running it.
zpty -w shell "finish() { print -r -- \"line:\$BUFFER\"; BUFFER=; zle accept-line; }"
zpty -w shell "zle -N finish; bindkey '^X' finish; bindkey '^I' expand-or-complete"
# The terminal also shows this command, which differs from the prompt it sets.
zpty -w shell "PS1=rea'dy> '"
zpty -r shell shown '*ready> *'
zpty -w -n shell "$2"$'\t\x18'
zpty -r shell shown $'*line:*\r*\n*'
print -r -- "${shown##*line:}"
zpty -d shell
