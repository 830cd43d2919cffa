# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Finds the known names that are near to a mistyped one: commands, options, types of machines.

# near_names WORD: of the names on standard input, one a line, prints those that begin with the word, or else those from
# which the fewest edits separate it, at most two, and one for a short word. Leading dashes do not count.
near_names() {
    awk -v word="$1" '
        function bare(name) { sub(/^-+/, "", name); return tolower(name) }
        function distance(a, b,    i, j, d, best) {
            for (i = 0; i <= length(a); i++) d[i, 0] = i
            for (j = 0; j <= length(b); j++) d[0, j] = j
            for (i = 1; i <= length(a); i++) for (j = 1; j <= length(b); j++) {
                best = d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1))
                if (d[i - 1, j] + 1 < best) best = d[i - 1, j] + 1
                if (d[i, j - 1] + 1 < best) best = d[i, j - 1] + 1
                if (i > 1 && j > 1 && substr(a, i - 1, 2) == substr(b, j, 1) substr(b, j - 1, 1) \
                    && d[i - 2, j - 2] + 1 < best) best = d[i - 2, j - 2] + 1
                d[i, j] = best
            }
            return d[length(a), length(b)]
        }
        BEGIN { word = bare(word); least = length(word) < 5 ? 1 : 2 }
        word != "" {
            edits[$0] = index(bare($0), word) == 1 ? 0 : distance(bare($0), word)
            least = edits[$0] > 0 && edits[$0] < least ? edits[$0] : least
        }
        END { for (name in edits) if (edits[name] <= least) print name }' | sort
}

# advice WORD OTHERWISE: prints the end of a message about an unknown word: the names on standard input, separated by
# blanks or lines, that are near to it, or else what to do.
advice() {
    local near
    near=$(tr -s ' ' '\n' | near_names "$1" | sed '$!s/$/ or/' | paste -s -d ' ' -)
    echo "; ${near:+did you mean }${near:-$2}${near:+?}"
}
