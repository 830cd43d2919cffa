# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Shows the nodes on all machines in one picture. Each machine sends what its nodes show there; see ./remus top --json.

readonly top_interval=2 # seconds between two reports of a machine
readonly top_retry=5    # seconds until a connection that has failed is tried again

# Until Ctrl-C; without a terminal, once.
show_top() {
    local id word words status=0 once=() streams=() picture
    top_options='-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Xmx64m' # little beside the nodes
    read -r -a words <<<"${java_options//$'\n'/ }"
    for word in ${words[@]+"${words[@]}"}; do
        [[ $word != -D* ]] || top_options="$word $top_options"
    done
    [[ -t 1 ]] || once=(--once)
    for id in "${!machines[@]}"; do
        mkfifo -- "$work/$id.figures"
        printf '%d %s %s\n' "$id" "${machines[id]}" "$work/$id.figures" >>"$work/streams"
        send_figures "$id" >"$work/$id.figures" 2>&1 &
        streams+=($!)
    done
    # In the background, so that a signal to this script alone takes effect at once.
    "$root/remus" top --machines "$work/streams" --interval 1 ${once[@]+"${once[@]}"} <&0 &
    picture=$!
    trap 'end_top 130' INT
    trap 'end_top 143' TERM HUP
    wait "$picture" || status=$?
    trap '' INT TERM HUP
    end_streams
    return "$status"
}

# Writes the lines of a machine to standard output, and how they have ended. Then tries again until it is ended itself.
send_figures() {
    local id=$1 status
    while true; do
        status=0
        call "$id" run_remus "$java" "$top_options" "$jar" top --json --interval "$top_interval" |
            (
                echo "$BASHPID" >"$work/$id.ssh"
                ssh_to "$id" 'exec bash -s'
            ) || status=$?
        echo "ended $status"
        sleep "$top_retry"
    done
}

end_streams() {
    local id
    kill "${streams[@]}" 2>/dev/null || true
    for id in "${!machines[@]}"; do
        kill "$(cat "$work/$id.ssh" 2>/dev/null)" 2>/dev/null || true
    done
}

# end_top STATUS: ends the picture, which then restores the terminal.
end_top() {
    trap '' INT TERM HUP
    kill -TERM "$picture" 2>/dev/null || true
    wait "$picture" || true
    end_streams
    exit "$1"
}
