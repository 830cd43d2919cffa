# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs on a machine: cl sends own-folders.sh, this file and a call of one function to a bash there. The first argument
# of each function is the folder in the cluster file. Relative folders begin in the home folder, where ssh starts.

# Another machine reads the output of programs, so it has one encoding.
export LC_ALL=C.UTF-8
unset CDPATH

# Goes to the folder that holds what was copied.
enter() {
    if ! cd -- "$1" 2>/dev/null || [[ ! -e app/version ]]; then
        echo "nothing was copied to $1 yet; use build-run"
        exit 2
    fi
}

# Prints the files, relative to the folder, in which running nodes note their processes.
pid_files() {
    find runs -type f -path '*/node-*/pid' 2>/dev/null || true
}

# Prints the process that a file names. It counts only if it was started in this folder, because ids are reused.
process_of() {
    local pid
    pid=$(cat "$1" 2>/dev/null) || return
    [[ -n $pid && $(readlink "/proc/$pid/cwd") == "$(pwd -P)" ]] || return
    echo "$pid"
}

# print_version DIRECTORY
print_version() {
    cat -- "$1/app/version" 2>/dev/null || true
}

# unpack DIRECTORY VERSION: replaces what was copied by the archive on standard input.
unpack() {
    local file
    mkdir -p -- "$1" && cd -- "$1" || return
    while read -r file; do
        if process_of "$file" >/dev/null; then
            echo "a node runs from $1: wait until it has ended, or use stop"
            return 1
        fi
    done < <(pid_files)
    # Two cl with different experiments may want the same copy.
    exec 8>>.lock || return
    flock -w 600 8 || { echo "another cl is still copying to $1"; return 1; }
    [[ $(cat app/version 2>/dev/null) != "$2" ]] || { cat >/dev/null; return; }
    # The version comes last: without it, an incomplete copy does not count.
    make_own "$PWD/app" && tar -xzf - -C app && printf '%s\n' "$2" >app/version
}

# Prints the network interfaces of RDMA devices. Ports of RoCE name theirs; those of InfiniBand (IPoIB) belong to the
# same card.
rdma_interfaces() {
    local interface
    cat /sys/class/infiniband/*/ports/*/gid_attrs/ndevs/* 2>/dev/null
    for interface in /sys/class/infiniband/*/device/net/*; do
        [[ ! -e $interface ]] || printf '%s\n' "${interface##*/}"
    done
}

# print_hosts DIRECTORY INTERFACE: prints the addresses of RDMA ports, except for the port of the default route, which
# on CloudLab is the control network. If there are several, those of the interface suffice. Newer kernels add np0 to its
# name.
print_hosts() {
    local control name found all=() own=()
    control=$(ip -4 route show default | sed -n 's/.* dev \([^ ]*\).*/\1/p' | head -n 1)
    while read -r name; do
        [[ $name != "$control" ]] || continue
        mapfile -t found < <(ip -4 -o addr show dev "$name" | sed -n 's/.* inet \([0-9.]*\).*/\1/p')
        all+=(${found[@]+"${found[@]}"})
        [[ $name != "$2" && $name != "$2"np? ]] || own+=(${found[@]+"${found[@]}"})
    done < <(rdma_interfaces | sort -u)
    ((${#all[@]} < 2 || ${#own[@]} == 0)) || all=("${own[@]}")
    ((${#all[@]} == 0)) || printf '%s\n' "${all[@]}" | sort -u
}

# run_node DIRECTORY RUN ID JAVA OPTIONS JAR ARGUMENT ...: runs Java as a child, and notes its process in a file, for
# "stop", and its status at the end.
run_node() {
    local run=$2 id=$3 java=$4 options jar=$6 here=runs/$2/node-$3 status=0 commit
    read -r -a options <<<"${5//$'\n'/ }"
    enter "$1"
    shift 6
    if process_of "$here/pid" >/dev/null; then
        echo "node $id of $run still runs here; use stop"
        exit 2
    fi
    make_own "$here" || exit 2
    echo $$ >"$here/pid"
    cp app/version "$here/version.txt"
    {
        uname -a
        sed -n 's/^PRETTY_NAME=//p' /etc/os-release
        "$java" -version
        lscpu
        grep -E 'MemTotal|Huge' /proc/meminfo
        ibv_devinfo
    } >"$here/machine.txt" 2>&1
    commit=$(sed -n 's/^remus: \([0-9a-f]\{40,\}\)/\1/p' app/version)
    set -- "$java" ${options[@]+"${options[@]}"} ${commit:+"-Dremus.commit=$commit"} -jar "app/$jar" "$@" --node-id "$id" --out "$here"
    printf '%s\n' "$*" >"$here/command.txt"
    exec > >(exec tee "$here/output.txt") 2>&1
    "$@" </dev/null &
    echo $! >"$here/pid"
    trap 'kill $! 2>/dev/null' TERM HUP INT
    wait $! || status=$?
    trap - TERM HUP INT
    wait $! 2>/dev/null # if a signal ended the first wait
    rm -f -- "$here/pid"
    echo "$status" >"$here/status.txt"
    exit "$status"
}

# run_remus DIRECTORY JAVA OPTIONS JAR ARGUMENT ...
run_remus() {
    local java=$2 options jar=$4
    read -r -a options <<<"${3//$'\n'/ }"
    enter "$1"
    shift 4
    exec "$java" ${options[@]+"${options[@]}"} -jar "app/$jar" "$@" </dev/null
}

# send_runs DIRECTORY ID RUN: writes an archive of a node's folders to standard output. An empty RUN stands for all
# runs.
send_runs() {
    cd -- "$1/runs" 2>/dev/null || { tar -czf - -T /dev/null; return; }
    # Status 1: a file has changed meanwhile, such as the output of a node that runs.
    find "./$3" -type d -name "node-$2" -prune -print0 2>/dev/null | tar -czf - --null --exclude pid -T - || (($? == 1))
}

# stop_nodes DIRECTORY: ends all nodes.
stop_nodes() {
    local file pid files=() pids=() left i
    cd -- "$1" 2>/dev/null && [[ -d runs ]] || return 0
    while read -r file; do
        is_own "${file%/pid}" || continue
        files+=("$file")
        if pid=$(process_of "$file"); then
            pids+=("$pid")
            kill -TERM "$pid" && echo "stopping ${file%/pid}"
        fi
    done < <(pid_files)
    for ((i = 0; i < 100 && ${#pids[@]} > 0; i++)); do
        left=()
        for pid in "${pids[@]}"; do
            if kill -0 "$pid" 2>/dev/null; then
                left+=("$pid")
                ((i < 80)) || kill -KILL "$pid"
            fi
        done
        pids=(${left[@]+"${left[@]}"})
        ((${#pids[@]} == 0)) || sleep 0.1
    done
    ((${#pids[@]} == 0)) || { echo "could not end ${pids[*]}"; return 1; }
    ((${#files[@]} == 0)) || rm -f -- "${files[@]}"
}

# print_status DIRECTORY JAVA
print_status() {
    local file pid ports
    if cd -- "$1" 2>/dev/null; then
        sed -n 1p app/version 2>/dev/null || echo "nothing was copied here yet"
        while read -r file; do
            if pid=$(process_of "$file"); then
                echo "running ${file%/pid}: process $pid for $(ps -o etime= -p "$pid" | tr -d ' ')"
            fi
        done < <(pid_files)
    else
        echo "nothing was copied here yet"
    fi
    "$2" -version 2>&1 | sed -n 1p
    ports=$(grep -H . /sys/class/infiniband/*/ports/*/state 2>/dev/null | sed 's|/sys/class/infiniband/||; s|/state||')
    echo "RDMA ports: ${ports:-none}"
}
