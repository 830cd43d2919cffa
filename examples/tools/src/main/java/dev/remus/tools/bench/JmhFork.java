// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.process.JvmFlags;
import dev.remus.process.Parent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** One benchmark in its own JVM. */
final class JmhFork {
    /** Without it, Chronicle Bytes prints an error about it when an object is marshalled, and works. */
    private static final String FOR_CHRONICLE = "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED";

    private final Jdk jdk;
    private final JmhSettings settings;

    JmhFork(Jdk jdk, JmhSettings settings) {
        this.jdk = jdk;
        this.settings = settings;
    }

    /** The benchmark failed. The message contains the output of JMH and the JVM. */
    static final class FailedException extends Exception {
        private static final long serialVersionUID = 1L;

        FailedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    RunResult run(String benchmark) throws FailedException {
        JmhOutput output = new JmhOutput();
        try {
            return new Runner(options(benchmark), output).runSingle();
        } catch (RunnerException | RuntimeException e) {
            throw new FailedException(
                    "Java " + jdk.version() + " could not run " + benchmark + ": " + e.getMessage() + "\n"
                            + output.text().strip(),
                    e);
        }
    }

    private Options options(String benchmark) {
        TimeValue time = TimeValue.milliseconds(settings.millis());
        List<String> flags = new ArrayList<>(JvmFlags.forChild(jdk.feature()));
        flags.add(FOR_CHRONICLE);
        flags.addAll(Parent.flags(Optional.empty())); // ends the fork when this process ends
        return new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark) + "$")
                .jvm(jdk.java().toString())
                .jvmArgs(flags.toArray(String[]::new))
                .forks(1)
                .warmupIterations(settings.iterations())
                .warmupTime(time)
                .measurementIterations(settings.iterations())
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build();
    }
}
