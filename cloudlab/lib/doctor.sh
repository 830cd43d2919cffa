# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Examines all machines, and the way from each to each other, and prints a matrix of the results.

# doctor [shm|verbs]
doctor() {
    local usable=() cells=() problems=() addresses=()
    fabric=${1:-verbs}
    [[ $fabric == shm || $fabric == verbs ]] || die "doctor examines the fabric shm or verbs, and not $fabric"
    deploy || true
    note_failures "no copy" "${!machines[@]}"
    if ((${#usable[@]} > 0)); then
        each examine "${usable[@]}" || true
        note_failures PROBLEM "${usable[@]}"
        find_addresses
        check_pairs
    fi
    print_matrix
    ((${#problems[@]} == 0)) || { printf 'cl: %s\n' "${problems[@]}" >&2; return 1; }
    say "all ${#machines[@]} machines are ready, and reach each other"
}

# note_failures WORD ID ...: after "each", keeps in usable the nodes that can take part in the rest. Those that have
# failed get the word, or ssh. A machine with a PROBLEM still takes part.
note_failures() {
    local word=$1 id
    shift
    usable=()
    for id in "$@"; do
        if [[ " ${failed_nodes[*]-} " != *" $id "* ]]; then
            note "$id" ok
            usable+=("$id")
        elif [[ -s $work/$id.ssh-error ]]; then
            note "$id" ssh "ssh fails: $(cat "$work/$id.ssh-error"), see the hint above"
        else
            note "$id" "$word" "$word; its lines above have the reason and the remedy"
            [[ $word != PROBLEM ]] || usable+=("$id")
        fi
    done
}

# note ID WORD [PROBLEM]: sets the cell of a machine itself.
note() {
    cells[$1 * ${#machines[@]} + $1]=$2
    [[ -z ${3:-} ]] || problems+=("node $1, ${machines[$1]}: $3")
}

examine() {
    on_machine "$1" run_remus "$java" "$java_options" "$jar" doctor --fabric "$fabric"
}

# Sets the addresses of the usable machines, and looks up those that the cluster file leaves out.
find_addresses() {
    local id candidates=("${usable[@]}")
    usable=()
    if ((${#hosts[@]} == 0)) && [[ $fabric == verbs ]]; then
        each look_up "${candidates[@]}" || true
    fi
    for id in "${candidates[@]}"; do
        addresses[id]=${hosts[$id]:-}
        if [[ -z ${addresses[$id]} && $fabric == shm ]]; then
            addresses[id]=127.0.0.1
        elif [[ -z ${addresses[$id]} ]] && ! addresses[id]=$(cat "$work/$id.host" 2>/dev/null); then
            note "$id" "no address" "no address was found; its line above has the reason and the remedy"
            continue
        fi
        usable+=("$id")
    done
}

# Checks all pairs in rounds. In each, every machine has one partner: as in a tournament, one place stays, and the
# others move on around a circle. An odd number of machines leaves one without a partner.
check_pairs() {
    local count=$((${#usable[@]} + ${#usable[@]} % 2)) round k id peer result
    for ((round = 0; round < count - 1; round++)); do
        say "pairs, round $((round + 1)) of $((count - 1)) ..."
        check_pair "$((count - 1))" "$round"
        for ((k = 1; k < count / 2; k++)); do
            check_pair "$(((round + k) % (count - 1)))" "$(((round - k + count - 1) % (count - 1)))"
        done
        wait
    done
    for id in ${usable[@]+"${usable[@]}"}; do
        for peer in "${usable[@]}"; do
            [[ $id != "$peer" ]] || continue
            result=$(cat "$work/pair-$id-$peer")
            cells[id * ${#machines[@]} + peer]=$result
            [[ $result == ok || $result =~ ^[0-9.]+$ ]] ||
                problems+=("node $id, ${machines[$id]}, to node $peer, ${addresses[$peer]}: $result: $(pair_remedy "$result")")
        done
    done
}

# check_pair POSITION POSITION: starts both machines' parts. Each pair of a round has a port of its own, since addresses
# may belong to one machine.
check_pair() {
    (($1 < ${#usable[@]} && $2 < ${#usable[@]})) || return 0
    local port=$((pair_port + $1))
    check_half first "${usable[$1]}" "${usable[$2]}" "$port" &
    check_half second "${usable[$2]}" "${usable[$1]}" "$port" &
}

# check_half ROLE ID PEER PORT
check_half() {
    local file=$work/pair-$2-$3
    on_machine "$2" check_pair "$fabric" "$1" "${addresses[$2]}" "${addresses[$3]}" "$4" >"$file.all" 2>&1 ||
        echo "no answer" >"$file.all"
    tail -n 1 "$file.all" >"$file"
}

pair_remedy() {
    case $1 in
        'no device') echo "no RDMA device there has the address that hosts gives it; \"rdma link\" and \"ip -br address\" show what it has" ;;
        'no tool') echo "ib_read_lat is missing there; cloudlab/cl $cluster install-deps installs it" ;;
        'no route') echo "no network leads there; are the addresses in hosts those of one LAN?" ;;
        time-out) echo "nothing answers there; is the interface up, and no firewall in the way?" ;;
        'no RDMA') echo "IP packets arrive, those of RDMA do not; RoCE needs UDP port 4791, and the same version of RoCE (cloudlab/roce.md)" ;;
        *) echo "the check did not end as it should" ;;
    esac
}

# Prints the cells: row N is node N, which connects to the node of the column.
print_matrix() {
    local id peer row
    if [[ $fabric == verbs ]]; then
        say "each row reads 8 bytes from each column: the typical time in microseconds. The diagonal is the machine itself"
    else
        say "each row connects to each column. The diagonal is the machine itself"
    fi
    row=$(printf '%-24s' node)
    for peer in "${!machines[@]}"; do
        row+=$(printf '%10s' "$peer")
    done
    echo "$row"
    for id in "${!machines[@]}"; do
        row=$(printf '%-24.24s' "$id ${machines[$id]}")
        for peer in "${!machines[@]}"; do
            row+=$(printf '%10s' "${cells[id * ${#machines[@]} + peer]:--}")
        done
        echo "$row"
    done
}
