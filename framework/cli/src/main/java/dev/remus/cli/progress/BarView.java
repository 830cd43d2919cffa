// SPDX-License-Identifier: Apache-2.0
package dev.remus.cli.progress;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A view that draws a progress bar with the remaining time, for terminals. */
final class BarView implements ProgressView {
    private static final int UPDATE_MILLIS = 200;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final String CLEAR_LINE = "\r\033[K";

    /**
     * A fixed width. The library would otherwise get it from JLine, which intercepts Ctrl-C, so this process would die
     * without cleaning up.
     */
    private static final int WIDTH = 80;

    private final PrintStream out;
    private String phase = "";
    /** The bar; null while none is shown. */
    private @Nullable ProgressBar bar;

    BarView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(String name, long done, long total) {
        show(name, done, total, "", 1);
    }

    @Override
    public void showTime(String name, long done, long millis, long ofMillis) {
        show(name, millis, ofMillis, " s", MILLIS_PER_SECOND);
    }

    private void show(String name, long done, long total, String unit, long unitSize) {
        ProgressBar shown = bar;
        if (shown == null || !name.equals(phase)) {
            close();
            phase = name;
            shown = new ProgressBarBuilder()
                    .setTaskName(name)
                    .setInitialMax(total)
                    .setUnit(unit, unitSize)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(UPDATE_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(out, WIDTH))
                    .build();
            bar = shown;
        }
        shown.stepTo(done);
    }

    @Override
    public void interrupt() {
        if (bar != null) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
            phase = "";
        }
    }
}
