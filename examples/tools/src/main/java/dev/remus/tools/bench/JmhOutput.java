// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/** Captures the output of JMH and its forks, to be shown after a failure. */
final class JmhOutput implements OutputFormat {
    private static final int MAX_CHARACTERS = 16_384;

    private final StringBuffer captured = new StringBuffer(); // separate threads read the forks

    /** The last part of the output. */
    String text() {
        return captured.toString();
    }

    private void add(String text) {
        captured.append(text);
        captured.delete(0, Math.max(0, captured.length() - MAX_CHARACTERS));
    }

    @Override
    public void print(String text) {
        add(text);
    }

    @Override
    public void println(String text) {
        add(text + "\n");
    }

    @Override
    public void verbosePrintln(String text) {}

    @Override
    public void write(int b) {
        add(Character.toString((char) (b & 0xff)));
    }

    @Override
    public void write(byte[] bytes) {
        add(new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void iteration(BenchmarkParams benchmark, IterationParams iteration, int number) {}

    @Override
    public void iterationResult(
            BenchmarkParams benchmark, IterationParams iteration, int number, IterationResult result) {}

    @Override
    public void startBenchmark(BenchmarkParams benchmark) {}

    @Override
    public void endBenchmark(BenchmarkResult result) {}

    @Override
    public void startRun() {}

    @Override
    public void endRun(Collection<RunResult> results) {}

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
