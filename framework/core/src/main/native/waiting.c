/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a file descriptor, with a deadline. */
#include "disni.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>

bool make_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

static int64_t now_in_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

int64_t deadline_after(int timeout_ms) {
    return timeout_ms < 0 ? -1 : now_in_ms() + timeout_ms;
}

static int milliseconds_until(int64_t deadline) {
    int64_t left = deadline - now_in_ms();
    return deadline < 0 ? -1 : left < 0 ? 0 : (int)left;
}

int wait_readable(int fd, int64_t deadline) {
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    int ready;
    do {
        ready = poll(&wanted, 1, milliseconds_until(deadline));
    } while (ready < 0 && errno == EINTR);
    if (ready > 0 && (wanted.revents & POLLIN) == 0) { /* closed or broken: it will never be readable */
        errno = EIO;
        return -1;
    }
    return ready;
}
