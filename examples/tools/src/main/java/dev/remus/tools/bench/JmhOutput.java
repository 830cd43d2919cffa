package dev.remus.tools.bench;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;

/** Keeps to itself what JMH and its forks say, for the case that something goes wrong. */
final class JmhOutput implements OutputFormat {
    private static final int MOST = 16_384;

    private final StringBuffer said = new StringBuffer(); // forks are read by threads of their own

    /** The end of what was said. */
    String text() {
        return said.toString();
    }

    private void add(String text) {
        said.append(text);
        said.delete(0, Math.max(0, said.length() - MOST));
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
