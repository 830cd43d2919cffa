package dev.remus.examples.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void theCountersOfAllThreadsOfAPhaseAreAddedUp() {
        Progress progress = new Progress();
        assertThat(progress.current()).isEmpty();
        progress.phase("prefill", 10, 20).counter().set(10);
        progress.phase("run", 100, 200).counter().set(3);
        progress.phase("run", 100, 200).counter().set(4);
        Progress.Phase current = progress.current().orElseThrow();
        assertThat(current.name()).isEqualTo("run");
        assertThat(current.done()).isEqualTo(7);
        assertThat(current.nodeTotal()).isEqualTo(100);
        assertThat(current.clusterTotal()).isEqualTo(200);
    }

    @Test
    void aThreadThatIsLateDoesNotBringThePhaseBeforeBack() {
        Progress progress = new Progress();
        progress.phase("prefill", 10, 20);
        progress.phase("run", 100, 200);
        progress.phase("prefill", 10, 20).counter().set(1);
        assertThat(progress.current().orElseThrow().name()).isEqualTo("run");
    }
}
