"""Writes the completion of a tool's options for shells."""

import re


def bash_case(options):
    """Returns the branches that complete the values of options."""
    lines = []
    for option in options:
        names = "|".join(option.names)
        if option.choices:
            reply = f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(option.choices)}" -- "$word")'
        elif option.takes_file:
            reply = 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")'
        else:
            reply = "COMPREPLY=()"
        lines.append(f"  {names}) {reply}; return ;;")
    return lines


def bash(name, found):
    function = "_" + re.sub(r"\W", "_", name)
    valued = [option for option in found.options if option.value and not option.is_optional]
    optional = [option for option in found.options if option.is_optional]
    words = " ".join(option_name for option in found.options for option_name in option.names)
    commands = " ".join(found.commands)
    return "\n".join([
        f"# Completes the command line of {name}.",
        f"{function}() {{",
        "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} joined=",
        "  # Bash divides --option=value at the equals sign.",
        "  if [[ $word == = ]]; then",
        "    word= joined=1",
        "  elif [[ $option == = ]]; then",
        "    option=${COMP_WORDS[COMP_CWORD-2]} joined=1",
        "  fi",
        "  [[ -z $joined ]] || case $option in", *bash_case(optional), "  esac",
        "  case $option in", *bash_case(valued), "  esac",
        "  if [[ $word == -* ]]; then",
        f'    mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$word")',
        "    return",
        "  fi",
        "  compopt -o filenames",
        '  mapfile -t COMPREPLY < <(compgen -f -- "$word")',
        *([f'  [[ $COMP_CWORD -ne 1 ]] || mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < '
           f'<(compgen -W "{commands}" -- "$word")'] if commands else []),
        "}",
        f"complete -F {function} {name}", ""])


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(name, found):
    lines = [f"#compdef {name}", "_arguments -S \\"]
    for option in found.options:
        action = "(" + " ".join(option.choices) + ")" if option.choices else "_files" if option.takes_file else ""
        value = (":" if option.is_optional else "") + ":value:" + action if option.value else ""
        about = re.sub(r"([\[\]:\\])", r"\\\1", option.description)
        for option_name in option.names:
            joint = "" if not value else "=-" if option.is_optional else "=" if option_name.startswith("--") else "+"
            repeat = "*" if option.may_repeat else ""
            lines.append(f"  {quote(f'{repeat}{option_name}{joint}[{about}]{value}')} \\")
    if found.commands:
        lines.append(f"  '1: :{{_alternative \"command:command:({' '.join(found.commands)})\" \"file:file:_files\"}}' \\")
    return "\n".join(lines + ["  '*:file:_files'", ""])


def fish(name, found):
    lines = []
    for option in found.options:
        value = " -r -F" if option.takes_file else " -x" if option.value else ""
        if option.is_optional:
            value = ""
        if option.choices:
            value += " -a " + quote(" ".join(option.choices))
        for option_name in option.names:
            bare = option_name.lstrip("-")
            kind = "-l" if option_name.startswith("--") else "-s" if len(bare) == 1 else "-o"
            lines.append(f"complete -c {name} {kind} {bare}{value} -d {quote(option.description or option_name)}")
    if found.commands:
        commands = quote(" ".join(found.commands))
        lines.append(f"complete -c {name} -n __fish_is_first_arg -a {commands}")
    return "\n".join(lines) + "\n"


# By shell: the names of the files, and the function that writes one.
SHELLS = {"bash": ("{}", bash), "zsh": ("_{}", zsh), "fish": ("{}.fish", fish)}
