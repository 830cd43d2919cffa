// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.overlap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ThreadKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlapTableTest {
    private final OverlapTable table = new OverlapTable();

    private void add(ThreadKind kind, int threads, double perCore) {
        OverlapPoint point = new OverlapPoint(Work.READ, 2, kind, threads);
        table.add(point, new Figures(perCore / 2, perCore, 1e9 / perCore, 2_500, 9_000, 24));
    }

    @Test
    void theRatioIsThatOfTheMediansByProcessorTime() {
        add(ThreadKind.PLATFORM, 1, 100);
        add(ThreadKind.PLATFORM, 1, 500);
        add(ThreadKind.PLATFORM, 1, 200);
        add(ThreadKind.VIRTUAL, 8, 1_700);
        assertThat(table.timesAt(2).rows())
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("virtual threads", "8")
                        .containsEntry("times one platform thread", "8.500"));
        assertThat(table.verdicts(0))
                .contains("read at 2 µs, times one platform thread: 8.5, target >= 8  ok")
                .contains("median latency of a READ of 8 threads, in latencies: 1.3, target <= 1.3  ok");
    }

    @Test
    void aMissedTargetIsMarkedAndOneThatWasNotMeasuredIsLeftOut() {
        add(ThreadKind.PLATFORM, 1, 1_000_000);
        add(ThreadKind.VIRTUAL, 32, 2_000_000);
        assertThat(table.verdicts(0))
                .containsExactly(
                        "read at 2 µs, times one platform thread: 2.0, target >= 8  MISS",
                        "processor time of a READ of 32 threads, in ns: 500.0, target <= 400  MISS",
                        "part of the processor that READs of 32 threads keep busy: 0.5, target >= 0.7  MISS");
        assertThat(table.verdicts(0.5)).hasSize(3).allMatch(verdict -> verdict.endsWith("too busy to judge"));
    }

    @Test
    void theScalableQueueIsComparedWithTheLockFreeOne() {
        for (Work work : List.of(Work.QUEUE, Work.SCALABLE)) {
            OverlapPoint point = new OverlapPoint(work, 2, ThreadKind.VIRTUAL, 8);
            table.add(point, new Figures(100, work == Work.QUEUE ? 100 : 350, 1e7, 2_500, 9_000, 24));
        }
        assertThat(table.verdicts(0))
                .containsExactly("scalable with 8 threads at 2 µs, times queue: 3.5, target >= 3  ok");
    }

    @Test
    void theBytesOfAReadExcludeThoseOfASwitch() {
        String what = "bytes of a READ of 32 threads, but for those of a switch: ";
        table.add(OverlapPoint.MANY_READS.reference(), new Figures(100, 100, 1e7, 2_500, 9_000, 0));
        table.add(OverlapPoint.MANY_READS, new Figures(100, 100, 1e7, 2_500, 9_000, 24.5));
        assertThat(table.verdicts(0)).noneMatch(verdict -> verdict.startsWith(what));
        table.add(OverlapPoint.MANY_SWITCHES, new Figures(100, 100, 1e7, 2_500, 9_000, 24));
        assertThat(table.verdicts(0)).contains(what + "0.5, target <= 1  ok");
        table.add(OverlapPoint.MANY_READS, new Figures(100, 100, 1e7, 2_500, 9_000, 48.5));
        assertThat(table.verdicts(0)).contains(what + "12.5, target <= 1  MISS");
    }

    @Test
    void overRdmaVirtualThreadsAreComparedWithAsManyPlatformThreads() {
        OverlapPoint virtual = new OverlapPoint(Work.READ, OverlapPoint.OF_DEVICE, ThreadKind.VIRTUAL, 16);
        table.add(virtual.reference(), new Figures(100, 100, 1e7, 2_500, 9_000, 24));
        table.add(virtual.onPlatformThreads(), new Figures(800, 200, 1e7, 2_500, 9_000, 24));
        table.add(virtual, new Figures(1_200, 300, 1e7, 2_500, 9_000, 24));
        assertThat(table.verdicts(0))
                .containsExactly("READs of 16 virtual threads, times 16 platform threads: 1.5, target >= 1  ok");
        assertThat(table.toText())
                .contains("The latency is that of the device.")
                .contains("read      device virtual");
    }
}
