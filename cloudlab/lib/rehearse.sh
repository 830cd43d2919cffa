# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Rehearses an experiment on this machine: the whole course, from the set-up to the pictures, with the user's files, but
# on local machines and with few operations. Mistakes in the files then cost no reserved hours.

readonly few_operations=200 few_records=1000

# rehearse [--verbs] EXPERIMENT. The variables of end_rehearsal outlive this function.
rehearse() {
    local verbs='' first='' missing list real begin=$SECONDS
    stage='' memory='' child='' servers=() namespaces=()
    trap 'end_rehearsal' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    case ${1:-} in
        --verbs) rehearse_in_virtual_machine "$2"; return ;;
        --in-virtual-machine) verbs=yes first=$2; shift 2 ;;
    esac
    missing=$(missing_for_machines | head -n 1)
    [[ -z $missing ]] || { say "SKIPPED: this machine cannot hold a rehearsal: $missing"; exit 77; }
    load_experiment "$1"
    "$root/remus" hello --help >/dev/null || die "the build failed"
    list=$(combinations)
    real=$(($(wc -l <<<"$list") * repetitions))
    stage=$(mktemp -d "${TMPDIR:-/tmp}/remus-rehearsal-$$.XXXXXX")
    memory=$(mktemp -d "/dev/shm/remus-rehearsal-$$.XXXXXX" 2>/dev/null) || memory=$stage
    start_machines "${#machines[@]}" "$first" || exit 1
    write_cluster
    write_experiment
    step "set-up, without changes to this machine" install-deps
    step "doctor" doctor "$([[ -n $verbs ]] && echo verbs || echo shm)"
    step "build, copy, run, fetch, draw" sweep "$stage/$experiment_name.sh"
    check_figures
    step "status" status
    step "stop" stop
    say "rehearsal of $experiment_name passed in $((SECONDS - begin)) s, with ${#machines[@]} machines: $made runs, in which" \
        "each value occurs, in place of $real"
}

# step NAME COMMAND [ARGUMENT ...]: one command of this script on the local machines. In the background, so that a
# signal ends it.
step() {
    local name=$1
    shift
    say "rehearsal: $name: cl ... $1"
    "$program" "$stage/cluster.sh" "$@" </dev/null &
    child=$!
    wait "$child" || fail_rehearsal "$name"
    child=''
}

fail_rehearsal() {
    say "rehearsal of $experiment_name FAILED: $1; the reason is above"
    exit 1
}

end_rehearsal() {
    trap '' INT TERM HUP
    if [[ -n $child ]]; then
        kill "$child" 2>/dev/null || true
        wait "$child" || true
    fi
    [[ -z $stage || ! -s $stage/cluster.sh ]] || "$program" "$stage/cluster.sh" stop >/dev/null 2>&1 || true
    remove_machines
    rm -rf -- "$stage" "$memory" "$work"
}

# Prints the home of the Java that ./remus uses.
java_home() {
    REMUS_JAVA_OPTS=-XshowSettings:properties "$root/remus" hello --help 2>&1 | sed -n 's/^ *java\.home = //p'
}

# The user's file, with what differs on the local machines.
write_cluster() {
    local list=${addresses[*]} quick=''
    [[ -n $java_options ]] || quick='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m '
    {
        printf 'source %q\n' "$cluster"
        printf '%s\n' "machines=($list)" "hosts=($list)" "node_type=''" "domain=''"
        printf 'user=%q\n' "$(id -un)"
        printf 'directory=%q\n' "$stage/machine-{id}/${directory#/}"
        printf 'ssh_options=('
        printf ' %q' "${ssh_options[@]}"
        printf ' )\njava=%q\n' "$(java_home)/bin/java"
        printf 'java_options=%q\n' "$quick$java_options -Dremus.shm.dir=$memory"
        printf 'results=%q\n' "$stage/results"
    } >"$stage/cluster.sh"
}

# The user's experiment, with few operations, each value of the sweep once, and on shared memory.
write_experiment() {
    local entry words shrunk=()
    for entry in ${sweep[@]+"${sweep[@]}"}; do
        read -r -a words <<<"${entry//$'\n'/ }"
        shrunk+=("$(shrink_values ${words[@]+"${words[@]}"})")
    done
    sweep=(${shrunk[@]+"${shrunk[@]}"})
    experiment_args=$(shrink_arguments ${base_args[@]+"${base_args[@]}"})
    repetitions=1 each_value_once=yes
    # Without "declare", which would make them local where the file is read.
    declare -p exefile experiment_args sweep repetitions plots time_limit each_value_once |
        sed 's/^declare -[^ ]* //' >"$stage/$experiment_name.sh"
    list=$(combinations)
    made=$(wc -l <<<"$list")
}

# shrink OPTION VALUE: prints the value for a rehearsal.
shrink() {
    local most=''
    case ${1#--} in
        num-ops) most=$few_operations ;;
        records) most=$few_records ;;
        run-time) most=1 ;;
        fabric) [[ -n $verbs ]] || { echo shm; return; } ;;
    esac
    if [[ -n $most && $2 =~ $whole_number ]] && (($2 > most)); then
        echo "$most"
    else
        echo "$2"
    fi
}

# shrink_values OPTION VALUE ...: prints them without those that have become equal.
shrink_values() {
    local option=$1 value list=" "
    shift
    for value; do
        value=$(shrink "$option" "$value")
        [[ $list == *" $value "* ]] || list+="$value "
    done
    echo "$option$list"
}

# shrink_arguments ARGUMENT ...: also leaves out the hosts, and limits a program that would run for a time.
shrink_arguments() {
    local argument option='' list='' limited=" ${sweep[*]-} "
    for argument; do
        if [[ -n $option && $argument != --* ]]; then
            [[ $option == --host* ]] || list+="$option $(shrink "$option" "$argument") "
            option=''
            continue
        fi
        list+=${option:+"$option "} # has no value
        option=''
        if [[ $argument == --*=* ]]; then
            [[ $argument == --host* ]] || list+="${argument%%=*} $(shrink "${argument%%=*}" "${argument#*=}") "
        elif [[ $argument == --* ]]; then
            option=$argument
        else
            list+="$argument "
        fi
    done
    limited+=" $list"
    if [[ $limited != *num-ops* && $limited != *run-time* ]] && "$root/remus" "$exefile" --help 2>/dev/null | grep -q -e ' --num-ops'; then
        list+="--num-ops $few_operations "
    fi
    echo "$list$option"
}

# Whether there is a line for each run, and a picture for each plot.
check_figures() {
    local own=$stage/results/$experiment_name lines drawn
    lines=$(wc -l <"$own/$experiment_name.csv" 2>/dev/null) || fail_rehearsal "the runs left no figures"
    ((lines == made + 1)) || fail_rehearsal "the table has $((lines - 1)) runs instead of $made"
    drawn=$(find "$own" -maxdepth 1 -name '*.png' -size +0 | wc -l)
    ((drawn == ${#plots[@]})) || fail_rehearsal "there are $drawn pictures instead of ${#plots[@]}"
}

# Runs the rehearsal over RDMA, in a virtual machine with an RDMA device in software. Its machines are its addresses.
rehearse_in_virtual_machine() {
    local missing vm=$root/examples/rxe-vm/rxe-vm
    missing=$("$vm" --check) || { say "SKIPPED: no virtual machine with an RDMA device: $missing"; exit 77; }
    "$root/remus" hello --help >/dev/null || die "the build failed" # here, where it is faster
    say "rehearsing in an emulated machine, which takes minutes ..."
    JAVA_HOME=$(java_home) "$vm" --addresses "${#machines[@]}" --first-address 10.0.2.15 --memory 4096 \
        --time-limit 3600 -- "$program" "$cluster" rehearse --in-virtual-machine 10.0.2.15 "$(absolute "$1")" </dev/null &
    child=$!
    wait "$child"
}
