# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
#
# Runs the tests: ./remus test. The launcher sources this file, calls check_options, finds Java, takes the lock, and
# calls run_tests.

readonly maven_options="--activate-profiles --also-make --also-make-dependents --batch-mode --builder --color --debug \
--define --errors --fail-at-end --fail-fast --fail-never --file --global-settings --global-toolchains \
--ignore-transitive-repositories --lax-checksums --log-file --no-snapshot-updates --no-transfer-progress \
--non-recursive --offline --projects --quiet --raw-streams --resume-from --settings --show-version --strict-checksums \
--threads --toolchains --update-snapshots --version"

# Refuses an unknown long option: Maven would print all of its help below its own error.
check_options() {
    local argument
    for argument in "$@"; do
        [[ $argument != --bare && $argument != --set-ups ]] || die "$argument must be the first argument"
        [[ $argument != --* || " --quick --all $maven_options " == *" ${argument%%=*} "* ]] ||
            die "unknown option $argument$(
                advice "$argument" "try ./remus test --help" <<<"--quick --all --bare --set-ups $maven_options"
            )"
    done
}

# run_tests [--quick] [--all] [MAVEN-ARGUMENT ...]
run_tests() {
    local argument all='' goals=(verify) options=()
    [[ ! -e $unchecked ]] || goals=(clean verify)
    for argument in "$@"; do
        case $argument in
            --quick)
                touch "$unchecked"
                goals=(verify)
                options+=(-Dquick)
                ;;
            --all) all=yes ;;
            *) options+=("$argument") ;;
        esac
    done
    if [[ -n $all && " ${options[*]-}" != *" -DskipVerbsTests"* ]]; then
        options+=(-DskipCloudlabVerbsTest=false)
    fi
    say "building and testing with Java $(java_version "$JAVA_HOME") ..."
    if runs_beside ${options[@]+"${options[@]}"}; then
        test_beside "${goals[@]}" -- ${options[@]+"${options[@]}"} || exit
    else
        attend ./mvnw "${goals[@]}" ${options[@]+"${options[@]}"} || exit
    fi
    if [[ -n $all ]]; then
        exec 9<&- # the lock
        run_long_tests
    fi
}

# Whether the verbs tests can run in their virtual machine while Maven runs the others: the machine can start, and none
# of these arguments of Maven chooses what to run. Arguments that only leave out other tests do not matter.
runs_beside() {
    local argument
    for argument in "$@"; do
        case $argument in
            -Dtest=* | -Dgroups=* | -Dit.test=* | -DskipTests* | -Dmaven.test.skip* | -Dskip*VerbsTest*)
                return 1
                ;;
            -D*=* | -D*[Ss]kip* | -q | --quiet | -o | --offline | -e | -X | -ntp | -B | -U | -fae) ;;
            *) return 1 ;;
        esac
    done
    "$machine/rxe-vm" --check >/dev/null 2>&1
}

# kept LOG COMMAND ...: runs the command as "attend" does. Unless a terminal shows what it prints, LOG gets that too.
# Versions of bash before 5 may not tell the copier's process.
kept() {
    local log=$1 status=0 copier
    shift
    : >"$log"
    if [[ -t 1 ]] || ((BASH_VERSINFO[0] < 5)); then
        attend "$@"
        return
    fi
    exec 8> >(exec tee -i "$log")
    copier=$!
    attend "$@" >&8 2>&1 || status=$?
    exec 8>&-
    wait "$copier" || true
    return "$status"
}

# test_beside GOAL ... -- MAVEN-ARGUMENT ...: builds everything. Then runs the verbs tests in the virtual machine, and
# all others on this one at the same time. The output of the former is printed when the latter have ended, and then the
# errors of the latter once more.
test_beside() {
    local before=() status=0 of_machine=0 log=$root/target/verbs-tests.log here=$root/target/tests.log bound=()
    while [[ $1 != -- ]]; do
        before+=("${1/verify/package}")
        shift
    done
    shift
    attend ./mvnw "${before[@]}" -DskipTests -DskipPrepareVerbsTests=false "$@" || return
    ! command -v setpriv >/dev/null || bound=(setpriv --pdeathsig TERM)
    mkdir -p "$root/target" # which "clean" has removed
    say "running the verbs tests in a virtual machine beside the others; they print into ${log#"$root/"} ..."
    (cd "$root/$programs" && exec ${bound[@]+"${bound[@]}"} "$machine/verbs-tests" --prepared target/verbs-reports) \
        >"$log" 2>&1 </dev/null &
    beside=$!
    # The machine is emulated by one thread, which has the most to do: Maven makes room for it.
    kept "$here" nice -n 10 ./mvnw verify -DskipVerbsTests=true "$@" || status=$?
    say "the verbs tests in the virtual machine print:"
    attend tail -n +1 -f --pid="$beside" "$log"
    wait "$beside" || of_machine=$?
    ((status == 0)) || say "FAILED: the tests on this machine, see above$(
        grep '^\[ERROR\]' "$here" | head -n 30 | sed '1s/^/, or in short:\n/'
    )"
    ((of_machine == 0)) || say "FAILED: the verbs tests in the virtual machine"
    return $((status != 0 ? status : of_machine))
}

# Runs what only "test --all" runs: scripts that end with status 0, with 77 if they miss a program, or fail. A script that is
# not in this version is left out.
run_long_tests() {
    local test name status failed=()
    for test in "$machine/two-machines" \
        "$root"/{tutorial/site/check,tutorial/check-commands} \
        "$root"/.ci/{rehearse,soak,fuzz,last-release,reproducible,spotbugs}; do
        [[ -x $test ]] || continue
        name=${test#"$root/"} status=0
        say "running $name ..."
        "$test" </dev/null || status=$?
        case $status in
            0) ;;
            77) say "SKIPPED: $name" ;;
            *) failed+=("$name") ;;
        esac
    done
    if ((${#failed[@]} > 0)); then
        say "FAILED: ${failed[*]}"
        exit 1
    fi
}
