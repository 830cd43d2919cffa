# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Runs functions of remote/on-machine.sh on the machines over ssh, on one or on all at once.

set_target() {
    target=${machines[$1]}
    # The domain completes short names; names and addresses with a dot or colon are complete.
    if [[ -n $domain && $target != *.* && $target != *:* ]]; then
        target=$target.$domain
    fi
    target=$user@$target
}

ssh_to() {
    local id=$1 target
    shift
    set_target "$id"
    command -v ssh >/dev/null || die "there is no ssh on this machine; install openssh-client"
    # Of several values of an option, ssh takes the first.
    exec ssh ${ssh_options[@]+"${ssh_options[@]}"} -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 \
        -o ServerAliveCountMax=4 -o StrictHostKeyChecking=accept-new ${forward[@]+"${forward[@]}"} "$target" "$@"
}

# call ID FUNCTION ARGUMENT ...: prints a program for bash on the machine of a node, which calls a function of
# remote/on-machine.sh or remote/check-pair.sh. The call is in braces, so that a connection that breaks within it starts
# nothing.
call() {
    local id=$1 function=$2
    shift 2
    cat -- "$folder/lib/own-folders.sh" "$folder/remote/on-machine.sh" "$folder/remote/check-pair.sh"
    printf '{\n%s ' "$function"
    printf '%q ' "${directory//\{id\}/$id}" "$@"
    printf '\nexit\n}\n'
}

# Runs the bash program on standard input on the machine of a node. The program's own input may follow it. The user's
# shell there, which may be any, gets only this one command.
send_to() {
    (ssh_to "$1" 'exec bash -s')
}

on_machine() {
    call "$@" | send_to "$1"
}

# Prefixes each line with the node that it comes from.
prefix() {
    local id=$1 line
    while IFS= read -r line || [[ -n $line ]]; do
        printf 'node %d %s | %s\n' "$id" "${machines[$id]}" "$line"
        note_ssh_error "$id" "$line"
    done
}

# each FUNCTION [ID ...]: runs a function for all nodes, or for those given, at once. Names the nodes for which it
# fails, sets failed_nodes to them, and then fails too.
each() {
    local action=$1 id
    failed_nodes=()
    shift
    (($# > 0)) || set -- "${!machines[@]}"
    for id in "$@"; do
        {
            "$action" "$id" 2>&1 && echo 0 >"$work/$id.each" || echo 1 >"$work/$id.each"
        } | prefix "$id" &
    done
    wait
    for id in "$@"; do
        if [[ $(cat "$work/$id.each") != 0 ]]; then
            say "failed on node $id, ${machines[$id]}"
            failed_nodes+=("$id")
        fi
        rm -f -- "$work/$id.each"
    done
    explain_ssh_errors
    ((${#failed_nodes[@]} == 0))
}

check_id() {
    if ! [[ $1 =~ $whole_number ]] || (($1 >= ${#machines[@]})); then
        die "there is no node $1 in $cluster, only 0 to $((${#machines[@]} - 1))"
    fi
}

install_on() {
    send_to "$1" <"$folder/remote/setup"
}

status_of() {
    on_machine "$1" print_status "$java"
}

remus_on() {
    on_machine "$1" run_remus "$java" "$java_options" "$jar" "${remus_args[@]}"
}

remus_command() {
    (($# > 1)) || die "remus needs the id of a node, or all, and a command of ./remus"
    local on=$1
    remus_args=("${@:2}")
    if [[ $on == all ]]; then
        each remus_on
    else
        check_id "$on"
        each remus_on "$on"
    fi
}
