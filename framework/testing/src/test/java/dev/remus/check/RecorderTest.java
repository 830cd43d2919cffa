// SPDX-License-Identifier: Apache-2.0
package dev.remus.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private final Recorder<String, Integer> recorder = new Recorder<>();

    @Test
    void callsAndReturnsGetTheMomentsInWhichTheyWereNoted() {
        int a = recorder.call(3, "a");
        int b = recorder.call(1, "b");
        recorder.returned(b, 5);
        recorder.returned(a, null);
        assertThat(recorder.history().invocations())
                .containsExactly(new Invocation<>(a, 3, "a", null, 0, 3), new Invocation<>(b, 1, "b", 5, 1, 2));
        assertThat(recorder.history().threads()).containsExactly(1, 3);
    }

    @Test
    void anInvocationThatDidNotReturnIsPending() {
        int a = recorder.call(0, "a");
        assertThatThrownBy(() -> recorder.record(1, "b", () -> {
                    throw new IllegalStateException("crash");
                }))
                .hasMessage("crash");
        assertThat(recorder.history().invocations()).allMatch(Invocation::isPending);
        assertThat(recorder.history().pending()).isEqualTo(2);
        recorder.returned(a, 1);
        assertThat(recorder.history().pending()).isEqualTo(1);
        assertThat(recorder.history()).hasToString("[a → 1 by thread 0, b pending by thread 1]");
    }

    @Test
    void listenersNoticeThatAnOperationFails() {
        List<String> noticed = new ArrayList<>();
        Recorder.Listener listener = new Recorder.Listener() {
            @Override
            public void calls(int thread, Object operation) {}

            @Override
            public void returns(int thread, Object operation, Object result) {}

            @Override
            public void fails(int thread, Object operation, Throwable failure) {
                if (operation.equals("fails, and a listener notices")) { // other tests may run meanwhile
                    noticed.add(thread + " " + failure.getMessage());
                }
            }
        };
        Recorder.addListener(listener);
        try {
            assertThatThrownBy(() -> recorder.record(1, "fails, and a listener notices", () -> {
                        throw new AssertionError("wrong");
                    }))
                    .hasMessage("wrong");
            recorder.failed(recorder.call(2, "fails, and a listener notices"), new IllegalStateException("broken"));
        } finally {
            Recorder.removeListener(listener);
        }
        assertThat(noticed).containsExactly("1 wrong", "2 broken");
        assertThat(recorder.history().pending()).isEqualTo(2);
    }

    @Test
    void aSecondReturnAndAThreadBelowZeroAreRefused() {
        int a = recorder.call(0, "a");
        recorder.returned(a, 1);
        assertThatThrownBy(() -> recorder.returned(a, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a by thread 0 returns a second time");
        assertThatThrownBy(() -> recorder.call(-1, "b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void realThreadsMayShareOne() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int thread = t;
            threads.add(new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    int result = i;
                    recorder.record(thread, "op", () -> result);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        List<Invocation<String, Integer>> invocations = recorder.history().invocations();
        assertThat(invocations).hasSize(4000);
        Set<Long> moments = new HashSet<>();
        invocations.forEach(i -> {
            moments.add(i.called());
            moments.add(i.returned());
        });
        assertThat(moments).hasSize(8000);
        for (int t = 0; t < 4; t++) {
            int thread = t;
            assertThat(invocations)
                    .filteredOn(i -> i.thread() == thread)
                    .extracting(Invocation::result)
                    .isSorted();
        }
    }

    @Test
    void invocationsOfAHistoryHaveDifferentIdsAndReturnAfterTheirCalls() {
        Invocation<String, Integer> a = new Invocation<>(1, 0, "a", 1, 5, 6);
        Invocation<String, Integer> b = new Invocation<>(2, 0, "b", 1, 2, 3);
        assertThat(History.of(List.of(a, b)).invocations()).containsExactly(b, a);
        assertThatThrownBy(() -> History.of(List.of(a, a)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("id 1 of a → 1 by thread 0 is taken");
        assertThatThrownBy(() -> new Invocation<>(1, 0, "a", 1, 5, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a by thread 0 returned at 5, but was called at 5");
    }
}
