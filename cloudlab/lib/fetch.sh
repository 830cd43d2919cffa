# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Copies what runs have left on the machines.

# Copies all runs of a node, or those of one name, into the work folder.
fetch_from() {
    local id=$1 to=$work/fetched/$1
    mkdir -p -- "$to"
    on_machine "$id" send_runs "$id" "$fetched_run" | tar -xzf - -C "$to" || {
        rm -rf -- "$to"
        return 1
    }
}

fetch_runs() {
    fetched_run=${1:-}
    rm -rf -- "$work/fetched"
    each fetch_from
}

# Moves fetched folders into the results, in place of those of an earlier fetch. Folders that a sweep has fetched are
# complete, and stay. Sets placed and complete to the numbers of these folders.
place_fetched() {
    local from to
    placed=0 complete=0
    while IFS= read -r -d '' from; do
        to=${from#"$work/fetched/"}
        to=${to#*/}
        if is_done "${to%/*}"; then
            complete=$((complete + 1))
            continue
        fi
        make_parents "$(dirname "$to")" && make_own "$results/$to" && cp -a -- "$from/." "$results/$to/" || return 1
        placed=$((placed + 1))
    done < <(
        for from in "$work"/fetched/*; do
            # The name of a run may begin with node- too.
            [[ ! -d $from ]] || find "$from" -type d -name "node-${from##*/}" -prune -print0
        done
    )
}

# Makes the missing folders of a run, the outer ones first.
make_parents() {
    [[ -d $results/$1 ]] && return
    [[ $1 != */* ]] || make_parents "${1%/*}"
    make_own "$results/$1"
}

# Leaves out the runs of a sweep that is running: it fetches them itself, and may move the same folders meanwhile. Sets
# left to the number of these sweeps.
leave_to_sweeps() {
    local lock name
    left=0
    command -v flock >/dev/null || return 0
    for lock in "$results"/.*.lock; do
        name=${lock##*/.}
        name=${name%.lock}
        if [[ ! -f $lock ]] || ! compgen -G "$work/fetched/*/$name" >/dev/null || flock -n "$lock" true; then
            continue
        fi
        rm -rf -- "$work"/fetched/*/"$name"
        say "note: left out the runs of $name: process $(cat "$lock") is running that experiment, and fetches them itself"
        left=$((left + 1))
    done
}

fetch() {
    local run=${1:-} status=0 left
    [[ -z $run || $run =~ ^[A-Za-z0-9_][A-Za-z0-9.,=+_-]*(/[A-Za-z0-9_][A-Za-z0-9.,=+_-]*)*$ ]] ||
        die "'$run' is not the name of a run; fetch without a name copies all"
    make_results
    fetch_runs "$run" || status=1
    leave_to_sweeps
    place_fetched || return 1
    if ((placed + complete + left + status == 0)) && [[ -n $run ]]; then
        say "there is no run $run on the machines"
        return 1
    fi
    say "fetched $placed folders of nodes to $results${run:+/$run}$( ((complete == 0)) || echo "; $complete were there, complete")"
    return "$status"
}
