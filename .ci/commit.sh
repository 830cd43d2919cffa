# shellcheck shell=bash
#
# Names the commit of a checkout: results and copies of a build carry it.

# print_commit FOLDER PATH ...: prints the commit of the checkout in a folder, with "-modified" if files in these paths
# have changes that are not in it. Prints nothing if the folder is no checkout, or without git.
print_commit() {
    local folder=$1 commit changes
    shift
    [[ -e $folder/.git ]] || return 0
    commit=$(git -C "$folder" rev-parse --verify HEAD 2>/dev/null) || return 0
    changes=$(git -C "$folder" --no-optional-locks status --porcelain -- "$@" 2>/dev/null) || return 0
    echo "$commit${changes:+-modified}"
}
