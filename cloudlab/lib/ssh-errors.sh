# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
#
# Explains errors of ssh: the cause, and the remedy.

# note_ssh_error ID LINE: notes a line of output that is an error of ssh.
note_ssh_error() {
    local cause
    case $2 in
        *': Permission denied ('* | *'Too many authentication failures'*) cause=refused ;;
        'Host key verification failed.'*) cause=changed ;;
        'ssh: Could not resolve hostname '*) cause=unknown ;;
        'ssh: connect to host '*'timed out'* | 'Connection timed out during banner exchange'*) cause=time-out ;;
        'ssh: connect to host '*'Connection refused'*) cause=closed ;;
        'ssh: connect to host '*) cause=unreachable ;;
        *) return 0 ;;
    esac
    echo "$1 $cause" >>"$work/ssh-errors"
    echo "$cause" >"$work/$1.ssh-error"
}

# Prints a hint for each cause that was noted, with the first machine that has it.
explain_ssh_errors() {
    local id cause told=' ' target host
    [[ -s $work/ssh-errors ]] || return 0
    while read -r id cause; do
        [[ $told != *" $cause "* ]] || continue
        told+="$cause "
        set_target "$id"
        host=${target#*@}
        say "hint: $(ssh_remedy "$cause")"
    done < <(sort -n "$work/ssh-errors")
    rm -f -- "$work/ssh-errors"
}

# ssh_remedy CAUSE: uses target and host.
ssh_remedy() {
    case $1 in
        refused)
            echo "$host refuses the key. \"ssh $target\" must work without a question: the public key belongs in that" \
                "account (on CloudLab: in the profile of your user); load the private one with ssh-add, or name it in" \
                "$cluster: ssh_options=(-i FILE)"
            ;;
        changed)
            echo "$host has another host key than before. That is usual if CloudLab has installed the machine again" \
                "since; then forget the old key: ssh-keygen -R $host. Otherwise somebody may be in between"
            ;;
        unknown)
            echo "the name $host is not known. Compare machines and domain in $cluster with the page of the" \
                "experiment; \"getent hosts $host\" must print an address"
            ;;
        time-out)
            echo "$host does not answer within the time-out. It may still be starting, have been given back at the end of" \
                "the reservation, or be behind a firewall; for a gateway: ssh_options=(-J GATEWAY)"
            ;;
        closed)
            echo "$host is up, but its port for ssh is closed. A machine that is starting or being installed opens it in" \
                "some minutes; another port is set by ssh_options=(-p PORT)"
            ;;
        unreachable) echo "there is no route to $host from here; check your network, VPN or gateway (ssh_options=(-J GATEWAY))" ;;
    esac
}
