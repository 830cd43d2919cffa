# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Builds, and copies what has changed to the machines.

deploy() {
    local commit
    # Any command makes the launcher build if sources have changed.
    "$root/remus" hello --help >/dev/null || die "the build failed"
    (cd "$programs/target" && cat "$jar" lib/* | cksum) >"$work/app"
    {
        commit=$(print_commit "$root" pom.xml framework structures examples)
        printf 'remus: %s\n' "${commit:-not from a repository}"
        printf 'checksum: '
        cat "$work/app"
    } >"$work/version"
    tar -C "$programs/target" -cf - "$jar" lib | gzip -1 >"$work/app.tar.gz" || die "cannot pack what was built"
    each deploy_to
}

deploy_to() {
    local id=$1
    if [[ $(on_machine "$id" print_version) == "$(cat "$work/version")" ]]; then
        return
    fi
    echo "copying ..."
    {
        call "$id" unpack "$(cat "$work/version")"
        cat -- "$work/app.tar.gz"
    } | send_to "$id"
}
