#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the native half of the verbs fabric: build.sh TARGET JAVA_HOME
#
# Writes TARGET/META-INF/native/linux-ARCH/libdisni.so and libremus_verbs.so. If the compiler or the headers are
# missing, it reports that in one line, writes the file native-left-out beside TARGET, and ends with status 0: only the
# verbs fabric needs them. The build is reproducible: the same sources and compiler give the same bytes.
#
# build.sh --retry TARGET: ends with status 0 if the native half was left out, and the missing part exists now.

set -eu

sources=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-cc}
retry=
if [ "${1:-}" = --retry ]; then
    retry=yes
    shift
fi
target=${1:?is the folder to write to}
left_out=$(dirname "$target")/native-left-out # two lines: the JDK, and the missing part
if [ -z "$retry" ]; then
    java_home=${2:?is the folder of a JDK}
elif [ -f "$left_out" ]; then
    java_home=$(sed -n 1p "$left_out")
else
    exit 1
fi
output=$target/META-INF/native/linux-$(uname -m)

# Whether both libraries are newer than all sources.
is_up_to_date() {
    [ -f "$output/libdisni.so" ] && [ -f "$output/libremus_verbs.so" ] &&
        [ -z "$(find "$sources" -newer "$output/libdisni.so")" ]
}

has_header() {
    echo "#include <$1>" | "$compiler" -I"$java_home/include" -I"$java_home/include/linux" -E -o /dev/null - 2>/dev/null
}

# Prints the first missing part; nothing if all exist.
find_missing() {
    if ! command -v "$compiler" >/dev/null; then
        echo "the C compiler $compiler"
    elif ! has_header stdio.h; then
        echo "the C library's headers"
    elif ! has_header jni.h; then
        echo "jni.h of the JDK in $java_home"
    elif ! has_header infiniband/verbs.h; then
        echo "infiniband/verbs.h"
    elif ! has_header rdma/rdma_cma.h; then
        echo "rdma/rdma_cma.h"
    fi
}

# link LIBRARY SOURCE ... -lNAME ...
link() {
    library=$1
    shift
    "$compiler" -std=gnu11 -O2 -g0 -fPIC -shared -fvisibility=hidden -pthread \
        -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-field-initializers \
        -D_FORTIFY_SOURCE=2 -fstack-protector-strong \
        -ffile-prefix-map="$sources"=. -I"$java_home/include" -I"$java_home/include/linux" \
        -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,--build-id=none -Wl,-s \
        -o "$output/$library.new" "$@"
    mv "$output/$library.new" "$output/$library"
}

if [ -n "$retry" ]; then
    # Another part may be missing now; the build then reports it and records it in the file.
    [ "$(find_missing)" != "$(sed -n 2p "$left_out")" ]
    exit
fi
rm -f -- "$left_out"
is_up_to_date && exit 0
missing=$(find_missing)
if [ -n "$missing" ]; then
    rm -rf -- "$output"
    mkdir -p "$target"
    printf '%s\n' "$java_home" "$missing" >"$left_out"
    echo "verbs fabric: built without its native half: $missing is missing; apt-get install gcc libc6-dev libibverbs-dev librdmacm-dev"
    exit 0
fi

mkdir -p "$output"
cd "$sources"
link libremus_verbs.so device.c memory.c bare_loop.c options.c access.c errors.c -lrdmacm -libverbs
link libdisni.so load.c layout.c handles.c errors.c waiting.c connection.c resources.c requests.c \
    -lrdmacm -libverbs -ldl
