# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs on a machine, as on-machine.sh does: one machine's part of checking a pair. Its last line is the result.

# check_pair DIRECTORY FABRIC ROLE OWN PEER PORT: connects to the address PEER, where the same runs in the other ROLE.
# The one that is first answers at its address OWN and then connects, the other the other way round: on few processors,
# perftest cannot do both at a time. Prints ok, or the typical time of a READ in µs, or one of: no device, no tool, no
# route, time-out, no RDMA.
check_pair() {
    local role=$3 own=$4 peer=$5 port=$6 result options
    if [[ $2 == shm ]]; then
        reach "$peer"
        return
    fi
    read -r -a options < <(device_of "$own")
    ((${#options[@]} == 2)) || { echo "no device"; return; }
    command -v ib_read_lat >/dev/null || { echo "no tool"; return; }
    options=(-R -d "${options[0]}" -i "${options[1]}" -s 8 -n 1000 -p "$port")
    [[ $role != first ]] || answer
    result=$(measure)
    [[ $role != second ]] || answer
    [[ -n $result ]] || result=$(reach "$peer")
    [[ $result != ok ]] || result="no RDMA"
    echo "$result"
}

# Answers one client, which ends it.
answer() {
    timeout 30 ib_read_lat "${options[@]}" >/dev/null 2>&1 || true
}

# Prints the typical time of a READ, unless there is no answer within 20 s. The other machine may begin later.
measure() {
    local end=$((SECONDS + 20)) found
    until ((SECONDS >= end)); do
        found=$(timeout 20 ib_read_lat "${options[@]}" "$peer" 2>/dev/null | awk '$1 == 8 { print $5 }')
        [[ -z $found ]] || { echo "$found"; return; }
        sleep 0.5
    done
}

# Prints the RDMA device and port to which an address belongs: of its interface, or of that below a VLAN or bond. An
# interface of InfiniBand (IPoIB) belongs to a port of its card.
device_of() {
    local name lower interface found
    name=$(getent ahosts "$1" | awk '{ print $1; exit }') # "ip" takes no names of hosts
    name=$(ip -o addr show to "${name:-$1}" | awk '{ print $2; exit }')
    [[ -n $name ]] || return 0
    for lower in "/sys/class/net/$name"/lower_*; do
        name+=" ${lower##*/lower_}"
    done
    found=$(rdma link show | awk -v names=" $name " '
        { for (i = 1; i < NF; i++) if ($i == "netdev" && index(names, " " $(i + 1) " ")) { sub("/", " ", $2); print $2; exit } }')
    for interface in /sys/class/infiniband/*/device/net/"${name%% *}"; do
        [[ -n $found || ! -e $interface ]] ||
            found="$(basename "${interface%/device/net/*}") $(($(cat "$interface/dev_port") + 1))"
    done
    [[ -z $found ]] || printf '%s\n' "$found"
}

# Prints ok if a machine answers at an address, even if it refuses the connection.
reach() {
    local answer status=0
    # shellcheck disable=SC2016 # expanded by the inner bash
    answer=$(LC_ALL=C timeout 5 bash -c ': <>"/dev/tcp/$1/9"' reach "$1" 2>&1) || status=$?
    case $status:$answer in
        0:* | *'Connection refused'*) echo ok ;;
        124:*) echo time-out ;;
        *) echo "no route" ;;
    esac
}
