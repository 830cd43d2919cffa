# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Runs an experiment once: starts its nodes, waits for them, and ends them when one fails.

look_up() {
    local id=$1 found
    found=$(on_machine "$id" print_hosts "$rdma_interface") || return 1
    case $(wc -w <<<"$found") in
        1) echo "$found" >"$work/$id.host" ;;
        0)
            echo "no RDMA port with an IPv4 address besides the control network; see cloudlab/README.md, or name" \
                "the address in hosts=(...) of the cluster file"
            return 1
            ;;
        *)
            echo "several RDMA ports with addresses: ${found//$'\n'/ }; choose one in hosts=(...) of the cluster file," \
                "or its interface in rdma_interface"
            return 1
            ;;
    esac
}

# Sets args to the arguments of all nodes: the experiment's own, and defaults for those that it leaves out.
complete_args() {
    local run=$1 id list=''
    shift
    args=("$exefile" "$@")
    find_option --mn-port "$@"
    [[ -n $option ]] || args+=(--mn-port 18515)
    find_option --cluster "$@"
    [[ -n $option ]] || args+=(--cluster "$(tr -c 'A-Za-z0-9\n' - <<<"$run" | cut -c 1-40)-$$")
    find_option --fabric "$@"
    [[ ${option:-shm} != shm ]] || return 0 # all nodes are on one machine
    find_option --hosts "$@"
    [[ -z $option ]] || return 0
    if ((${#hosts[@]} == 0)); then
        each look_up || exit 1
        for id in "${!machines[@]}"; do
            hosts+=("$(cat "$work/$id.host")")
        done
    fi
    for id in "${nodes[@]}"; do
        list=$list,${hosts[$id]}
    done
    args+=(--hosts "${list#,}")
}

# Runs a node, and then adds its id and status to the list of ended nodes.
run_node() {
    local id=$1 status=0 forward=()
    local options=$java_options
    if [[ -n $debug ]]; then
        local port=$((debug_port + id))
        forward=(-L "$port:127.0.0.1:$((port + 1000))")
        options="$options -agentlib:jdwp=transport=dt_socket,server=y,suspend=$debug_suspend,address=127.0.0.1:$((port + 1000))"
    fi
    call "$id" run_node "$run" "$id" "$java" "$options" "$jar" "${args[@]}" |
        (
            echo "$BASHPID" >"$work/$id.ssh"
            ssh_to "$id" 'exec bash -s'
        ) || status=$?
    echo "$id $status" >>"$work/ended"
}

start_nodes() {
    local id
    : >"$work/ended"
    if [[ -n $tmux ]]; then
        declare -p run debug exefile args user domain machines directory ssh_options java java_options debug_port \
            debug_suspend >"$work/window"
        for id in "${nodes[@]}"; do
            # shellcheck disable=SC2016 # expanded there
            open_window "node-$id" bash -c '"$@"; echo; read -r -p "ended; Enter closes this window"' window \
                "$program" "$cluster" _window "$work" "$id"
        done
        say "the nodes are in tmux: tmux attach -t $session"
        return
    fi
    for id in "${nodes[@]}"; do
        run_node "$id" 2>&1 | prefix "$id" &
    done
}

# Prints how a node ended, for example: node 1 (apt132) was killed by signal 9
how_ended() {
    local id=$1 status=$2
    local how="ended with status $status"
    if ((status == 255)); then
        how="was lost: the connection to its machine failed"
    elif ((status > 128)); then
        how="was killed by signal $((status - 128))"
    fi
    echo "node $id (${machines[$id]}) $how"
}

# Waits for all nodes. When one has failed, the others may notice that by themselves for a few seconds, and are then
# stopped.
await_nodes() {
    local end=$((SECONDS + time_limit)) id status failed='' stopped='' ended
    while true; do
        ended=0
        while read -r id status; do
            ended=$((ended + 1))
            if ((status != 0)) && [[ -z $failed ]]; then
                failed=yes
                say "$(how_ended "$id" "$status")"
                end=$((SECONDS + grace))
            fi
        done <"$work/ended"
        ((ended < ${#nodes[@]})) || break
        if ((SECONDS >= end)); then
            [[ -z $stopped ]] || { break_connections; break; }
            [[ -n $failed ]] || say "the nodes have not ended after $time_limit s, the time_limit of the experiment"
            failed=yes stopped=yes
            stop_nodes || true
            end=$((SECONDS + 15))
        fi
        sleep 0.1
    done
    wait
    explain_ssh_errors
    [[ -z $failed ]]
}

# Ends the connections to machines that no longer answer.
break_connections() {
    local id
    for id in "${nodes[@]}"; do
        kill "$(cat "$work/$id.ssh")" 2>/dev/null || true
    done
}

stop_on() {
    on_machine "$1" stop_nodes
}

stop_nodes() {
    each stop_on "${nodes[@]}"
}

interrupted() {
    trap '' INT TERM HUP
    say "stopping the nodes ..."
    stop_nodes || true
    break_connections
    exit 130
}

# run_once RUN ARGUMENT ...: runs the nodes once with these arguments. Replaces the results of an earlier try.
run_once() {
    run=$1
    shift
    local status=0
    find_nodes "$@"
    complete_args "$run" "$@"
    make_own "$results/$run" || exit 2
    cp -- "$cluster" "$results/$run/cluster.sh"
    cp -- "$experiment" "$results/$run/experiment.sh"
    printf '%s\n' "${args[*]}" >"$results/$run/arguments.txt"
    trap interrupted INT TERM HUP
    start_nodes
    await_nodes || status=1
    trap - INT TERM HUP
    return "$status"
}

# run_experiment FILE [deploy]
run_experiment() {
    load_experiment "$1"
    ((${#sweep[@]} == 0)) || say "note: run ignores the ${#sweep[@]} lists of values in $experiment, which are for sweep"
    local name
    lock_experiment
    [[ -z ${2:-} ]] || deploy || return
    name=$experiment_name-$(date +%Y%m%d-%H%M%S)
    while [[ -e $results/$name ]]; do
        sleep 1
        name=$experiment_name-$(date +%Y%m%d-%H%M%S)
    done
    if run_once "$name" ${base_args[@]+"${base_args[@]}"}; then
        say "done; to get its output and metrics: cloudlab/cl $cluster fetch $name"
    else
        say "failed; to get the output of the nodes: cloudlab/cl $cluster fetch $name"
        return 1
    fi
}
