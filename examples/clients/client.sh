#!/bin/sh
# A program that plays any of the games, in plain shell: it always answers with the first legal move.
#
#     duel play range-war --vs "process:sh examples/clients/client.sh"
#
# The questions and answers are told in docs/protocol.md.

while IFS= read -r question; do
    case $question in
    *'"type": "end"'*)
        exit 0
        ;;
    *'"type": "move"'*)
        move=$(printf '%s\n' "$question" | sed -n 's/.*"legal": \["\([^"]*\)".*/\1/p')
        printf '{"move": "%s"}\n' "$move"
        ;;
    esac
done
