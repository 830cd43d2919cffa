# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The folders that cl makes, here and on the machines, hold a file that marks them. cl removes nothing outside them.

readonly mark=.made-by-cl

# Whether cl made a folder. A link to such a folder does not count.
is_own() {
    [[ -d $1 && ! -L $1 && -f $1/$mark ]]
}

# Makes a folder that is empty but for the mark. If it exists, cl must have made it, or it must be empty.
make_own() {
    if [[ -e $1 || -L $1 ]] && ! is_own "$1" && ! rmdir -- "$1" 2>/dev/null; then
        echo "$1 is in the way: cl did not make it, so cl does not remove it; move it to another place" >&2
        return 1
    fi
    mkdir -p -- "$1" && : >"$1/$mark" || return
    # The mark stays, so that a partly emptied folder still counts.
    (cd -- "$1" && find . -mindepth 1 ! -path "./$mark" -delete)
}
