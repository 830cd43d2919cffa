// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.fabric.RealEnvironment;
import org.junit.jupiter.api.Test;

class CompletionWatchTest {
    /** The real environment, except that no thread can be started. */
    private static final class WithoutThreads extends DelegateEnvironment {
        @Override
        public Task start(String name, boolean daemon, Runnable body) {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    @Test
    void aThreadWithoutAWatchDoesNotCountAsASleeper() {
        CompletionWatch watch = new CompletionWatch(new WithoutThreads(), "watch", new SharedLane[0][0]);
        assertThatThrownBy(watch::begin).isInstanceOf(OutOfMemoryError.class);
        assertThat(watch.sleepers()).isZero();
    }

    @Test
    void sleepersAreCountedUntilTheyWake() {
        CompletionWatch watch = new CompletionWatch(RealEnvironment.INSTANCE, "watch", new SharedLane[0][0]);
        watch.begin();
        watch.begin();
        assertThat(watch.sleepers()).isEqualTo(2);
        watch.end();
        watch.end();
        assertThat(watch.sleepers()).isZero();
        watch.close();
    }
}
