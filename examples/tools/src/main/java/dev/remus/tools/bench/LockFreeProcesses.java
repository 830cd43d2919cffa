// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench;

import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.cli.progress.Progress;
import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.tools.plot.RunTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The measurements of {@code bench lock-free --processes}: each thread is a process with memory of its own. */
final class LockFreeProcesses implements Program {
    static final String NAME = "lock-free";

    private static final String RACES = "races.csv";

    /**
     * Runs one node.
     *
     * @param args the name of the program and its command line
     */
    public static void main(String... args) {
        ProgramRunner.main(new LockFreeProcesses(), LockFreeProcesses.class, args);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "The processes of ./remus bench " + NAME + ".";
    }

    @Override
    public OptionSet options() {
        return new OptionSet("./remus bench " + name(), summary())
                .include(LockFreeRounds.group())
                .include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        return new Races(LockFreeRounds.of(arguments));
    }

    /** Leaves all measurements in a table. */
    private record Races(LockFreeRounds rounds) implements Job {
        @Override
        public boolean leavesResults() {
            return true;
        }

        @Override
        public void run(ComputeThread ct, NodeContext context) throws Exception {
            long total = rounds.measurements();
            Progress.Counter progress = context.progress()
                    .phase("races", ct.id() == 0 ? total : 0, total)
                    .counter();
            StringBuilder csv = new StringBuilder("round,queue,operations,nanos,round_trips\n");
            long[] done = new long[1];
            rounds.run(LockFreeThreads.inProcessesOf(ct), (round, racer, result) -> {
                progress.set(++done[0]);
                csv.append(String.format(
                        Locale.ROOT,
                        "%d,%s,%d,%d,%d%n",
                        round,
                        racer,
                        result.operations(),
                        result.nanos(),
                        result.roundTrips()));
            });
            if (ct.id() == 0) {
                Files.writeString(context.results().resolve(RACES), csv);
            }
        }
    }

    /**
     * Starts the processes, and waits until they have ended.
     *
     * @param folder for their files
     * @param sink receives the measurements
     * @throws IOException if the run has failed
     */
    static void run(int processes, LockFreeRounds rounds, Path folder, PrintStream err, LockFreeRounds.Sink sink)
            throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        List<String> words = new ArrayList<>(List.of(
                "--fabric=shm",
                "--first-mn-id=0",
                "--last-mn-id=0",
                "--first-cn-id=0",
                "--last-cn-id=" + (processes - 1),
                "--cn-threads=1",
                RemusOptions.OUT.name() + "=" + folder));
        words.addAll(rounds.words());
        int status = new ProgramRunner(
                        new LockFreeProcesses(),
                        LockFreeProcesses.class,
                        new PrintStream(text, true, StandardCharsets.UTF_8),
                        err)
                .run(words.toArray(String[]::new));
        if (status != ExitStatus.OK) {
            throw new IOException(processes + " processes ended with status " + status + "\n"
                    + text.toString(StandardCharsets.UTF_8));
        }
        read(folder, sink);
    }

    private static void read(Path folder, LockFreeRounds.Sink sink) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.endsWith(RACES)).toList();
        }
        List<LockFreeRacer> racers = LockFreeRacer.all();
        for (Map<String, String> row : RunTable.read(files.get(0)).rows()) {
            String queue = row.get("queue");
            sink.accept(
                    Integer.parseInt(row.get("round")),
                    racers.stream()
                            .filter(racer -> racer.toString().equals(queue))
                            .findFirst()
                            .orElseThrow(),
                    new LockFreeRace.Result(
                            Long.parseLong(row.get("operations")),
                            Long.parseLong(row.get("nanos")),
                            Long.parseLong(row.get("round_trips"))));
        }
    }
}
