# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Windows of tmux for nodes and for shells.

# Runs a node in a window of tmux, with the files of the cl that opened the window.
run_window() {
    work=$1
    # shellcheck source=/dev/null
    source "$work/window"
    run_node "$2"
}

# Whether tmux has the session of this cluster file. Refuses a session of the same name that cl did not make for it.
has_session() {
    command -v tmux >/dev/null && tmux has-session -t "=$session" 2>/dev/null || return 1
    [[ $(tmux show-options -qv -t "=$session:" @cl) == "$cluster" ]] ||
        die "tmux has a session $session that is not of $cluster; rename it or the cluster file"
}

# open_window NAME COMMAND ARGUMENT ...
open_window() {
    local name=$1
    shift
    # The tmux server outlives this process, and must not keep the lock.
    if has_session; then
        tmux new-window -d -t "=$session:" -n "$name" "$@" 9>&-
    else
        tmux new-session -d -s "$session" -n "$name" "$@" 9>&-
        tmux set-option -t "=$session:" @cl "$cluster" || true # its only window may have closed already
    fi
}

connect() {
    local id
    if (($# > 0)); then
        check_id "$1"
        (ssh_to "$1" -t) || return
        return
    fi
    command -v tmux >/dev/null || die "connect without a node id needs tmux"
    for id in "${!machines[@]}"; do
        open_window "$id-${machines[$id]}" "$program" "$cluster" connect "$id"
    done
    if [[ -t 1 ]]; then
        tmux attach -t "=$session"
    else
        say "the machines are in tmux: tmux attach -t $session"
    fi
}

stop() {
    each stop_on || return 1
    if has_session; then
        tmux kill-session -t "=$session"
    fi
}
