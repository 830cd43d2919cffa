// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.progress.ProgressView;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PointProgressTest {
    private final BlockingQueue<Long> shown = new LinkedBlockingQueue<>();

    private final ProgressView view = new ProgressView() {
        @Override
        public void show(String phase, long done, long total) {
            assertThat(total).isEqualTo(100);
            shown.add(done);
        }

        @Override
        public void showTime(String phase, long done, long millis, long ofMillis) {
            throw new AssertionError("it is not timed");
        }

        @Override
        public void close() {}
    };

    private void awaitShown(long done) throws InterruptedException {
        while (shown.take() != done) {
            // the view is shown the same again and again
        }
    }

    @Test
    @Timeout(60)
    void theProgressOfOtherProcessesIsShownWithinTheirPoint() throws InterruptedException {
        try (PointProgress progress = new PointProgress(100, view)) {
            progress.begin(() -> 10);
            awaitShown(10);
            progress.complete(20);
            awaitShown(20);
            ProgressView elsewhere = progress.beginElsewhere(60);
            elsewhere.show("run", 1, 4);
            awaitShown(35);
            elsewhere.showTime("run", 7, 2, 4);
            awaitShown(50);
            progress.complete(60);
            awaitShown(80);
        }
    }

    @Test
    @Timeout(60)
    void severalThreadsMayEachHaveACurrentPoint() throws InterruptedException {
        try (PointProgress progress = new PointProgress(100, view)) {
            progress.begin(() -> 10);
            Thread other = new Thread(() -> progress.begin(() -> 30));
            other.start();
            awaitShown(40);
            progress.complete(50);
            awaitShown(80);
            other.join();
        }
    }
}
