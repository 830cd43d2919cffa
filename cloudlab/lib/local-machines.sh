# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Machines for a rehearsal: network namespaces of this machine, joined by a bridge, or else addresses of it. Each has an
# SSH server, and programs that stand in for those that would change the system.

# Prints what this machine lacks, if anything.
missing_for_machines() {
    local name
    [[ $(uname -s) == Linux ]] || echo "it is no Linux"
    for name in ssh ssh-keygen sshd; do
        PATH=$PATH:/usr/sbin:/sbin command -v "$name" >/dev/null || echo "there is no $name (apt-get install openssh-server)"
    done
}

# start_machines COUNT [FIRST-ADDRESS]: sets addresses, and ssh_options to what reaches them. With a first address, they
# are it and those that follow, of this machine.
start_machines() {
    local count=$1 first=${2:-} id
    addresses=() servers=() namespaces=() bridge='' port=22 made_run=''
    PATH=$PATH:/usr/sbin:/sbin
    mkdir -p "$stage/bin" "$stage/home"
    make_stand_ins
    ssh-keygen -q -t ed25519 -N '' -f "$stage/key" && ssh-keygen -q -t ed25519 -N '' -f "$stage/host" || return
    if ((EUID == 0)) && [[ ! -d /run/sshd ]]; then
        mkdir /run/sshd && made_run=yes # where a server that runs as root keeps its unprivileged part
    fi
    if [[ -z $first ]] && ((EUID == 0)) && make_namespaces "$count" 2>"$stage/namespaces"; then
        say "the machines are network namespaces of this one"
    else
        remove_namespaces
        [[ -n $first ]] || say "note: no network namespaces ($( ((EUID == 0)) && tail -n 1 "$stage/namespaces" ||
            echo 'only root can make them')); the machines are addresses of this one instead"
        port=$((20000 + $$ % 10000))
        for ((id = 0; id < count; id++)); do
            addresses+=("$(address_after "${first:-127.0.0.2}" "$id")")
        done
    fi
    for ((id = 0; id < count; id++)); do
        start_server "$id"
    done
    ssh_options=(-F /dev/null -p "$port" -i "$stage/key" -o "UserKnownHostsFile=$stage/known" -o LogLevel=ERROR)
    await_servers
}

# address_after ADDRESS N
address_after() {
    echo "${1%.*}.$((${1##*.} + $2))"
}

# make_namespaces COUNT: namespaces with the addresses 198.18.N.1 and so on, of a network that is reserved for tests.
make_namespaces() {
    local count=$1 id name network=198.18.$(($$ % 250))
    [[ -z $(ip -4 -o addr show to "$network.0/24") ]] || { echo "$network.0/24 is in use" >&2; return 1; }
    ip link add "rm$$" type bridge || return
    bridge=rm$$
    ip addr add "$network.254/24" dev "$bridge" && ip link set "$bridge" up || return
    for ((id = 0; id < count; id++)); do
        name=remus-rehearsal-$$-$id
        ip netns add "$name" || return
        namespaces+=("$name")
        ip link add "rm$$-$id" type veth peer name eth0 netns "$name" && ip link set "rm$$-$id" master "$bridge" up &&
            ip -n "$name" addr add "$network.$((id + 1))/24" dev eth0 && ip -n "$name" link set eth0 up &&
            ip -n "$name" link set lo up || return
        addresses+=("$network.$((id + 1))")
    done
}

# start_server ID: its users have an empty home, since what they have in the real one need not bear to be ended at once.
start_server() {
    local in=() config=$stage/sshd-$1
    ((${#namespaces[@]} == 0)) || in=(ip netns exec "${namespaces[$1]}")
    printf '%s\n' "Port $port" "ListenAddress ${addresses[$1]}" "HostKey $stage/host" "AuthorizedKeysFile $stage/key.pub" \
        'PidFile none' 'UsePAM no' 'StrictModes no' 'PasswordAuthentication no' 'KbdInteractiveAuthentication no' \
        'PermitRootLogin prohibit-password' 'MaxStartups 100' "SetEnv PATH=$stage/bin:$PATH HOME=$stage/home" >"$config"
    ${in[@]+"${in[@]}"} "$(command -v sshd)" -D -e -f "$config" >"$config.log" 2>&1 </dev/null &
    servers+=("$!")
}

await_servers() {
    local id end=$((SECONDS + 60))
    for id in "${!addresses[@]}"; do
        until : 2>/dev/null <>"/dev/tcp/${addresses[$id]}/$port"; do
            if ((SECONDS >= end)) || ! kill -0 "${servers[$id]}" 2>/dev/null; then
                say "no SSH server at ${addresses[$id]}: $(tail -n 1 "$stage/sshd-$id.log")"
                return 1
            fi
            sleep 0.1
        done
    done
}

# Programs of the set-up that print their command line instead.
make_stand_ins() {
    local name
    for name in apt-get modprobe install; do
        printf '%s\n' '#!/bin/sh' "echo not in a rehearsal: $name \"\$*\"" >"$stage/bin/$name"
    done
    echo 'cat >/dev/null' >>"$stage/bin/install" # its input is the file
    printf '%s\n' '#!/bin/sh' 'exec "$@"' >"$stage/bin/sudo"
    chmod +x "$stage"/bin/*
}

# Ends and removes all that start_machines has made.
remove_machines() {
    ((${#servers[@]} == 0)) || kill "${servers[@]}" 2>/dev/null || true
    remove_namespaces
    wait
    [[ -z ${made_run:-} ]] || rmdir /run/sshd 2>/dev/null || true
}

remove_namespaces() {
    local id name process
    for id in ${namespaces[@]+"${!namespaces[@]}"}; do
        name=${namespaces[$id]}
        ip link delete "rm$$-$id" 2>/dev/null || true # both ends; with its namespace it would go a moment later
        for process in $(ip netns pids "$name"); do
            kill -KILL "$process" 2>/dev/null || true
        done
        ip netns delete "$name" || true
    done
    [[ -z ${bridge:-} ]] || ip link delete "$bridge" || true
    namespaces=() bridge='' addresses=()
}
