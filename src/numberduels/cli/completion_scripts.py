"""The completion scripts of bash, zsh and fish.

They offer commands, options, games and values as they were when the script was printed; ids of kept games
are asked from `duel list --ids` when Tab is pressed. No text of a file is ever read as a command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numberduels.cli.completion_words import FILES, GAMES, GLOBAL, IDS, SHELLS, Option, Words
from numberduels.game import registry

HEAD = """\
# Shell completion of duel for {shell}, printed by: duel --completion {shell}
"""


def _quoted(text: str) -> str:
    """The text in single quotation marks for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _plain(values: Iterable[str]) -> str:
    """The values that are words, with the games in place of their mark."""
    words: list[str] = []
    for value in values:
        words += registry.names() if value == GAMES else [] if value in (FILES, IDS) else [value]
    return " ".join(words)


def _by_value(options: Iterable[Option]) -> dict[tuple[str, ...], list[str]]:
    """The flags that take a value, by what can be offered for it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for option in options:
        if option.takes_value:
            found.setdefault(option.values, []).append(option.flag)
    return found


# bash

BASH = """\
_duel() {{
    local current=$2 before=$3 command=${{COMP_WORDS[1]}} game= word words= options= files= ids= value=
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
        case $word in {games}) game=$word ;; esac
    done
    if ((COMP_CWORD == 1)); then
        words={commands} options={globals}
    else
        case $command in
            --completion) words={shells} ;;
            help) words={commands} ;;
{cases}
        esac
        [[ $value ]] && options=
        [[ $game && ! $value ]] && words=
    fi
    [[ $current == -* ]] && words=$options files= ids=
    for word in $words; do
        [[ $word == "$current"* ]] && COMPREPLY+=("$word")
    done
    if [[ $ids ]]; then
        while IFS= read -r word; do
            [[ $word == "$current"* ]] && COMPREPLY+=("$word")
        done < <("$1" list --ids 2>/dev/null)
    fi
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    fi
}}
complete -F _duel duel
"""


def bash_script(commands: Sequence[Words]) -> str:
    """The script for bash."""
    return HEAD.format(shell="bash") + BASH.format(
        games="|".join(registry.names()),
        commands=_quoted(" ".join(each.command for each in commands)),
        globals=_quoted(" ".join(GLOBAL)),
        shells=_quoted(" ".join(SHELLS)),
        cases="\n".join(_bash_case(each) for each in commands),
    )


def _bash_case(words: Words) -> str:
    """The branch of one command: its options, and what follows those that take a value."""
    flags = " ".join(each.flag for each in words.options)
    lines = [f"options={_quoted(flags)} {_bash_values(words.arguments)}"]
    for game, more in words.game_options.items():
        added = " ".join(each.flag for each in more)
        lines.append(f"[[ $game == {game} ]] && options+={_quoted(f' {added}')}")
    values = [("", words.options), *((f"{game}:", more) for game, more in words.game_options.items())]
    for prefix, options in values:
        for offered, names in _by_value(options).items():
            patterns = "|".join(prefix + name for name in names)
            subject = "$game:$before" if prefix else "$before"
            lines.append(f"case {subject} in {patterns}) value=1 {_bash_values(offered)} ;; esac")
    body = "".join(f"                {line}\n" for line in lines)
    return f"            {words.command})\n{body}                ;;"


def _bash_values(values: Sequence[str]) -> str:
    """The assignments that offer these values and nothing else."""
    files, ids = "1" * (FILES in values), "1" * (IDS in values)
    return f"words={_quoted(_plain(values))} files={files} ids={ids}"


# zsh

ZSH = """\
#compdef duel
{head}
_duel() {{
    local command=$words[2] before=$words[CURRENT-1] game= word value= files= ids=
    local -a commands options offered
    commands=({commands})
    for word in $words[3,CURRENT-1]; do
        case $word in {games}) game=$word ;; esac
    done
    if ((CURRENT == 2)); then
        options=({globals})
        _describe -t commands command commands
        [[ $PREFIX == -* ]] && _describe -t options option options
        return
    fi
    case $command in
        --completion) offered=({shells}) ;;
        help) _describe -t commands command commands; return ;;
{cases}
    esac
    [[ $value ]] && options=()
    [[ $game && ! $value ]] && offered=()
    if [[ $PREFIX == -* ]]; then
        (($#options)) && _describe -t options option options
        return
    fi
    [[ $ids ]] && offered+=(${{(f)"$($words[1] list --ids 2>/dev/null)"}})
    (($#offered)) && compadd -a offered
    [[ $files ]] && _files
}}
if [[ $funcstack[1] == _duel ]]; then
    _duel "$@"
else
    compdef _duel duel
fi
"""


def zsh_script(commands: Sequence[Words]) -> str:
    """The script for zsh."""
    head = HEAD.format(shell="zsh").rstrip()
    return ZSH.format(
        head=head,
        games="|".join(registry.names()),
        commands=" ".join(_described(each.command, each.about) for each in commands),
        globals=" ".join(_described(flag, about) for flag, about in GLOBAL.items()),
        shells=" ".join(SHELLS),
        cases="\n".join(_zsh_case(each) for each in commands),
    )


def _described(word: str, about: str) -> str:
    """A word with its description, as `_describe` reads it."""
    return _quoted(f"{word}:{about.replace(':', chr(92) + ':')}")


def _zsh_case(words: Words) -> str:
    lines = [_zsh_options("=", words.options), _zsh_values(words.arguments)]
    for game, more in words.game_options.items():
        lines.append(f"[[ $game == {game} ]] && {_zsh_options('+=', more)}")
    values = [("", words.options), *((f"{game}:", more) for game, more in words.game_options.items())]
    for prefix, options in values:
        for offered, names in _by_value(options).items():
            patterns = "|".join(prefix + name for name in names)
            subject = "$game:$before" if prefix else "$before"
            lines.append(f"case {subject} in {patterns}) value=1 {_zsh_values(offered)} ;; esac")
    body = "".join(f"            {line}\n" for line in lines)
    return f"        {words.command})\n{body}            ;;"


def _zsh_options(sign: str, options: Iterable[Option]) -> str:
    return f"options{sign}({' '.join(_described(each.flag, each.about) for each in options)})"


def _zsh_values(values: Sequence[str]) -> str:
    files, ids = "1" * (FILES in values), "1" * (IDS in values)
    return f"offered=({_plain(values)}) files={files} ids={ids}"


# fish


def fish_script(commands: Sequence[Words]) -> str:
    """The script for fish."""
    lines = [HEAD.format(shell="fish").rstrip(), "complete -c duel -f"]
    names = " ".join(each.command for each in commands)
    games = " ".join(registry.names())
    for flag, about in GLOBAL.items():
        offered = f" -x -a {_fish(' '.join(SHELLS))}" if flag == "--completion" else ""
        lines.append(f"complete -c duel -n __fish_use_subcommand -l {flag[2:]}{offered} -d {_fish(about)}")
    lines.append(f"complete -c duel -n '__fish_seen_subcommand_from help' -a {_fish(names)}")
    for words in commands:
        here = f"__fish_seen_subcommand_from {words.command}"
        lines.append(f"complete -c duel -n __fish_use_subcommand -a {words.command} -d {_fish(words.about)}")
        if words.arguments:
            free = f"; and not __fish_seen_subcommand_from {games}" if GAMES in words.arguments else ""
            lines.append(f"complete -c duel -n {_fish(here + free)}{_fish_values(words.arguments)}")
        lines += [_fish_option(here, each) for each in words.options]
        for game, more in words.game_options.items():
            there = f"{here}; and __fish_seen_subcommand_from {game}"
            lines += [_fish_option(there, each) for each in more]
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    """The text in single quotation marks for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish_option(where: str, option: Option) -> str:
    takes = (_fish_values(option.values) or " -x") if option.takes_value else ""
    takes = f" -r{takes}" if option.takes_value and FILES in option.values else takes.replace(" -a", " -x -a")
    return f"complete -c duel -n {_fish(where)} -l {option.flag[2:]}{takes} -d {_fish(option.about)}"


def _fish_values(values: Sequence[str]) -> str:
    """The part of a line that offers these values."""
    words = " ".join([*_plain(values).split(), *(["(duel list --ids)"] if IDS in values else [])])
    return " -F" * (FILES in values) + (f" -a {_fish(words)}" if words else "")
