# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Reads and checks experiment files, and the arguments in them.

load_experiment() {
    experiment=$1
    [[ -r $experiment && ! -d $experiment ]] || die "there is no experiment file $experiment; see $folder/experiments"
    experiment=$(absolute "$experiment")
    experiment_name=$(basename "$experiment")
    experiment_name=${experiment_name%.*}
    [[ $experiment_name =~ ^[A-Za-z0-9_][A-Za-z0-9._+=-]{0,99}$ ]] ||
        die "$experiment: folders get the name of this file, so it may contain only letters, digits and ._+=-"
    [[ ! $experiment_name =~ ^node-[0-9]+$ ]] ||
        die "$experiment: folders get the name of this file, but $experiment_name is the name of a node's folder; rename it"
    exefile='' experiment_args='' # as in the original
    sweep=()       # entries "OPTION VALUE ..."; sweep runs all combinations
    repetitions=1  # of each combination
    plots=()       # entries "X Y [LINES]": columns of the CSV; a line in the picture for each value of LINES
    time_limit=600 # seconds, for one run
    each_value_once='' # set by rehearse: not all combinations, but as few as have each value
    # shellcheck source=/dev/null
    source "$experiment"
    [[ -n $exefile ]] || die "$experiment names no program; it needs a line like exefile=intset"
    exefile=${exefile##*/}
    [[ $exefile =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || die "$experiment: exefile='$exefile' is not the name of a program"
    local value columns='^[A-Za-z0-9_-]+( +[A-Za-z0-9_-]+){1,2}$' words pictures=' '
    for value in repetitions time_limit; do
        [[ ${!value} =~ $whole_number && ${!value} != 0 ]] || die "$experiment: $value='${!value}' is not a whole number above 0"
    done
    for value in ${plots[@]+"${plots[@]}"}; do
        [[ $value =~ $columns ]] ||
            die "$experiment: plots has '$value', which is not two or three columns of the table"
        read -r -a words <<<"$value"
        [[ $pictures != *" ${words[1]}-by-${words[0]} "* ]] ||
            die "$experiment: two plots would have the same file, ${words[1]}-by-${words[0]}.png"
        pictures+="${words[1]}-by-${words[0]} "
    done
    read -r -a base_args <<<"${experiment_args//$'\n'/ } " || true
    local argument
    for argument in ${base_args[@]+"${base_args[@]}"}; do
        [[ $argument != --node-id* ]] || die "$experiment: leave out --node-id, which differs from node to node"
    done
}

# Makes the folder of the results.
make_results() {
    local reason
    reason=$(LC_ALL=C mkdir -p -- "$results" 2>&1) ||
        die "cannot make $results (${reason##*: }), the folder of results that $cluster names"
}

# Holds the experiment until this process and those that run its nodes have ended, however they end.
lock_experiment() {
    local file=$results/.$experiment_name.lock status=0
    make_results
    command -v flock >/dev/null || { say "note: flock is not installed, so a second cl could run this experiment too"; return; }
    { exec 9>>"$file"; } 2>/dev/null || die "cannot write $file"
    flock -n -E 75 9 || status=$?
    case $status in
        0) echo $$ >"$file" ;;
        75)
            die "$experiment_name is already being run, by process $(cat "$file"), with results in $results; wait until it" \
                "ends, or end it. If only its nodes are left: cloudlab/cl $cluster stop"
            ;;
        *) die "cannot lock $file" ;;
    esac
}

# find_option NAME ARGUMENT ...: sets option to the value of the last such option, "--x 1" or "--x=1".
find_option() {
    local name=$1 take=''
    shift
    option=''
    local argument
    for argument in "$@"; do
        if [[ -n $take ]]; then
            option=$argument take=''
        elif [[ $argument == "$name" ]]; then
            take=yes
        elif [[ $argument == "$name="* ]]; then
            option=${argument#*=}
        fi
    done
}

# Sets nodes to the ids in the ranges that the arguments give.
find_nodes() {
    local name first_mn last_mn first_cn last_cn id
    for name in first-mn last-mn first-cn last-cn; do
        find_option "--$name-id" "$@"
        [[ $option =~ $whole_number ]] || die "$experiment: experiment_args needs --$name-id and a number"
        printf -v "${name/-/_}" %s "$option"
    done
    nodes=()
    for ((id = first_mn < first_cn ? first_mn : first_cn; id <= last_mn || id <= last_cn; id++)); do
        if ((id >= first_mn && id <= last_mn || id >= first_cn && id <= last_cn)); then
            ((id < ${#machines[@]})) ||
                die "$experiment needs node $id, but $cluster has only the machines of nodes 0 to $((${#machines[@]} - 1))"
            nodes+=("$id")
        fi
    done
}
