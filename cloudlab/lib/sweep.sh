# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Runs all combinations of the values that an experiment lists, and makes one table of them.

run_sweep() {
    load_experiment "$1"
    local number combination words name list names all failed=''
    list=$(combinations)
    name_runs "$list"
    mapfile -t all <<<"$list"
    lock_experiment
    prepare_sweep
    deploy || return 1
    note_change version.txt "$work/version" "the build"
    for number in "${!names[@]}"; do
        name=$experiment_name/${names[number]}
        if is_done "$name"; then
            continue
        fi
        combination=${all[number % ${#all[@]}]}
        say "run $((number + 1)) of ${#names[@]}:$combination"
        read -r -a words <<<"$(arguments_of "$combination")"
        if ! run_once "$name" ${words[@]+"${words[@]}"} || ! fetch_runs "$name" || ! place_fetched; then
            failed="run $((number + 1)) of ${#names[@]} failed; the same command goes on there"
            break
        fi
        touch "$results/$name/done"
    done
    tabulate || failed=${failed:-"all runs are in $results/$experiment_name, but there is no table of them"}
    if [[ -n $failed ]]; then
        say "$failed"
        return 1
    fi
    count_runs
}

# Prints all combinations, one to a line, as options with values: --cn-threads 1 --key-ub 1024
combinations() {
    local combined=('') next entry words value before options=' ' n
    for entry in ${sweep[@]+"${sweep[@]}"}; do
        read -r -a words <<<"${entry//$'\n'/ }"
        ((${#words[@]} > 1)) || die "$experiment: the sweep \"$entry\" needs an option and values"
        [[ ${words[0]} =~ ^(--)?[A-Za-z][A-Za-z0-9-]*$ ]] || die "$experiment: the sweep \"$entry\" does not begin with an option"
        [[ $options != *" ${words[0]#--} "* ]] || die "$experiment: the option ${words[0]} is in sweep twice; list all values together"
        options="$options${words[0]#--} "
        next=()
        if [[ -n $each_value_once ]]; then
            # A list that has ended goes on with its last line or value.
            for ((n = 0; n < ${#combined[@]} || n < ${#words[@]} - 1; n++)); do
                before=${combined[n < ${#combined[@]} ? n : ${#combined[@]} - 1]}
                next+=("$before --${words[0]#--} ${words[n < ${#words[@]} - 1 ? n + 1 : ${#words[@]} - 1]}")
            done
        else
            for before in "${combined[@]}"; do
                for value in "${words[@]:1}"; do
                    next+=("$before --${words[0]#--} $value")
                done
            done
        fi
        combined=("${next[@]}")
    done
    printf '%s\n' "${combined[@]}"
}

# Prints the name of a run's folder: cn-threads=1,key-ub=1024,repetition=1
name_of() {
    local name=${1## } repetition=$2
    name=${name#--}
    name=${name// --/,}
    name=${name// /=}
    printf '%s\n' "${name:+$name,}repetition=$repetition"
}

# Sets names to the folders of all runs. Repetitions are outermost, so that a change over time affects all combinations
# alike.
name_runs() {
    local repetition combination twice
    mapfile -t names < <(
        for ((repetition = 1; repetition <= repetitions; repetition++)); do
            while read -r combination; do
                name_of "$combination" "$repetition"
            done <<<"$1"
        done | tr -c 'A-Za-z0-9.,=+\n-' _
    )
    twice=$(printf '%s\n' "${names[@]}" | sort | uniq -d | head -n 1)
    [[ -z $twice ]] || die "$experiment: two combinations of the sweep would both have the folder $twice; change a value"
    for combination in "${names[@]}"; do
        ((${#combination} < 200)) || die "$experiment: $combination is too long for the name of a folder; sweep over fewer options"
    done
}

# Whether the results of a run of a sweep are complete here.
is_done() {
    is_own "$results/$1" && [[ -e $results/$1/done ]]
}

# Reports how many runs there are, and which left no figures.
count_runs() {
    local name without=()
    for name in "${names[@]}"; do
        [[ -n $(find "$results/$experiment_name/$name" -name metrics.json -print -quit) ]] || without+=("$name")
    done
    say "all ${#names[@]} runs are in $results/$experiment_name"
    ((${#without[@]} == 0)) || say "note: ${#without[@]} of them left no figures (metrics.json): ${without[*]}"
}

# Prints the arguments of a combination and those of the experiment that it does not replace: an option may be given
# once.
arguments_of() {
    local argument skip='' kept=()
    for argument in ${base_args[@]+"${base_args[@]}"}; do
        if [[ -n $skip ]]; then
            skip=''
        elif [[ $argument == --* && " $1 " == *" ${argument%%=*} "* ]]; then
            [[ $argument == *=* ]] || skip=yes
        else
            kept+=("$argument")
        fi
    done
    echo "${kept[*]-} $1"
}

plan() {
    load_experiment "$1"
    local combination list names
    list=$(combinations)
    name_runs "$list"
    while read -r combination; do
        echo "$exefile $(arguments_of "$combination")"
    done <<<"$list"
    say "each $repetitions times"
}

# Refuses a changed experiment: one table must not mix results of different experiments.
prepare_sweep() {
    local before=$results/$experiment_name
    is_own "$before" || make_own "$before" || exit 2
    if [[ ! -e $before/experiment.sh ]]; then
        cp -- "$experiment" "$before/experiment.sh"
    elif ! cmp -s -- "$experiment" "$before/experiment.sh"; then
        die "$experiment has changed since the runs in $before were made; give it another name, or remove that folder"
    fi
    note_change cluster.sh "$cluster" "$cluster"
}

# note_change NAME FILE WHAT: keeps a copy beside the runs of a sweep, and reports a change since the first of them.
note_change() {
    local before=$results/$experiment_name/$1
    if [[ ! -e $before ]]; then
        cp -- "$2" "$before"
    elif ! cmp -s -- "$2" "$before"; then
        say "note: $3 has changed since the first runs in ${before%/*}; to measure all with the new one, remove that folder"
    fi
}

# Makes one table of the runs of this sweep, and pictures of it.
tabulate() {
    local own=$results/$experiment_name file run plot words
    local csv=$own/$experiment_name.csv
    [[ -n $(find "$own" -name metrics.json -print -quit) ]] || return 0
    while IFS= read -r -d '' file; do
        run=${file#"$own/"}
        run=${run%%/*}
        if [[ " ${names[*]} " != *" $run "* ]] || ! is_done "$experiment_name/$run"; then
            say "$own/$run has figures, but is not a finished run of this sweep; move it to another place"
            return 1
        fi
    done < <(find "$own" -name metrics.json -print0)
    "$root/remus" table "$own" --out "$csv" || return 1
    for plot in ${plots[@]+"${plots[@]}"}; do
        read -r -a words <<<"$plot"
        "$root/remus" plot "$csv" --x "${words[0]}" --y "${words[1]}" ${words[2]:+--lines "${words[2]}"} \
            --out "${csv%.csv}-${words[1]}-by-${words[0]}.png" || return 1
    done
}
