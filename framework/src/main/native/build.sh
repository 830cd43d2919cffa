#!/bin/sh
#
# Compiles the native half of the verbs fabric: build.sh TARGET JAVA_HOME
#
# Writes TARGET/META-INF/native/linux-ARCH/libdisni.so and libremus_verbs.so. Where the compiler or the headers
# are missing, says so in one line and ends with status 0: all but the verbs fabric works without them.
# The same sources and compiler give the same bytes.

set -eu

sources=$(cd "$(dirname "$0")" && pwd)
target=${1:?is the folder to write to}
java_home=${2:?is the folder of a JDK}
compiler=${CC:-cc}
output=$target/META-INF/native/linux-$(uname -m)

leave_out() {
    rm -rf -- "$output"
    echo "verbs fabric: built without its native half: $1 is missing; apt-get install gcc libc6-dev libibverbs-dev librdmacm-dev"
    exit 0
}

# Whether nothing has changed since both libraries were linked.
is_up_to_date() {
    [ -f "$output/libdisni.so" ] && [ -f "$output/libremus_verbs.so" ] &&
        [ -z "$(find "$sources" -newer "$output/libdisni.so")" ]
}

has_header() {
    echo "#include <$1>" | "$compiler" -I"$java_home/include" -I"$java_home/include/linux" -E -o /dev/null - 2>/dev/null
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

is_up_to_date && exit 0
command -v "$compiler" >/dev/null || leave_out "the C compiler $compiler"
has_header stdio.h || leave_out "the C library's headers"
has_header jni.h || leave_out "jni.h of the JDK in $java_home"
has_header infiniband/verbs.h || leave_out "infiniband/verbs.h"
has_header rdma/rdma_cma.h || leave_out "rdma/rdma_cma.h"

mkdir -p "$output"
cd "$sources"
link libremus_verbs.so device.c memory.c bare_loop.c errors.c -libverbs
link libdisni.so load.c layout.c handles.c errors.c waiting.c connection.c resources.c requests.c \
    -lrdmacm -libverbs -ldl
