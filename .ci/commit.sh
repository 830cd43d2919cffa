# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Names the commit of a checkout: results and copies of a build carry it.

# git_of FOLDER ARGUMENT ...: as if it ran there, even if a hook of another checkout has started this.
git_of() {
    env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE git -C "$@"
}

# print_commit FOLDER PATH ...: prints the commit of the checkout in a folder, with "-modified" if files in these paths
# have changes that are not in it. Prints nothing if the folder is no checkout, or without git.
print_commit() {
    local checkout=$1 commit changes # a caller may have a read-only "folder"
    shift
    [[ -e $checkout/.git ]] || return 0
    commit=$(git_of "$checkout" rev-parse --verify HEAD 2>/dev/null) || return 0
    changes=$(git_of "$checkout" --no-optional-locks status --porcelain --untracked-files=normal -- "$@" 2>/dev/null) ||
        return 0
    echo "$commit${changes:+-modified}"
}
