// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.progress.Terminal;
import dev.remus.fabric.shm.LocalClusters;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The command {@code top}, which shows the activity of the clusters on this machine. Nodes post their figures on the
 * notice board of the {@code shm} fabric once a second. A cluster that has ended stays on the screen, with its last
 * figures and the lost node.
 */
public final class TopCommand {
    /** The name of the command. */
    public static final String NAME = "top";

    /** A one-line summary. */
    public static final String SUMMARY =
            "Shows the clusters on this machine live: operations, memory, epochs, locks, lost nodes.";

    private static final OptionSpec<String> CLUSTER =
            OptionSpec.text("--cluster", "name", "The cluster to show; by default all clusters of this user");

    private static final OptionSpec<Long> INTERVAL = OptionSpec.integer(
                    "--interval", 1, 3600, "The seconds between updates")
            .withDefault(1L);

    private static final OptionSpec<Boolean> ONCE = OptionSpec.flag(
            "--once", "Observe for about 2 s, print once and end; the exit status is 1 if there is no cluster");

    /** The most polls with {@code --once}. Nodes post figures every second, so each has posted two by then. */
    private static final int TRIES_OF_ONCE = 12;

    private static final long TRY_MILLIS = 250;

    /** The additional samples of each lock per poll, a millisecond apart. */
    private static final int LOCK_SAMPLES = 49;

    /** The most clusters that stay on the screen after their end. */
    private static final int MAX_ENDED = 3;

    /** Switches to the alternate screen and hides the cursor; {@link #LEAVE} reverts this. */
    private static final String ENTER = "\033[?1049h\033[?25l";

    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_REST = "\033[J";

    private final Arguments arguments;
    private final PrintStream out;
    private final boolean live;
    private final TreeMap<String, WatchedCluster> running = new TreeMap<>();
    private final ArrayDeque<WatchedCluster> ended = new ArrayDeque<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private TopCommand(Arguments arguments, PrintStream out) {
        this.arguments = arguments;
        this.out = out;
        this.live = Terminal.isOutput(out) && !"dumb".equals(System.getenv("TERM")) && !arguments.get(ONCE);
    }

    /** The options. */
    public static OptionSet options() {
        return new OptionSet(
                        "./remus " + NAME,
                        SUMMARY + " Covers clusters of the shm fabric, of this user, and the last"
                                + " three that ended, with the reason. Ctrl-C ends it.")
                .include(new OptionGroup("Top", CLUSTER, INTERVAL, ONCE))
                .example("./remus top")
                .example("./remus top --once --cluster demo");
    }

    /**
     * Runs the command.
     *
     * @param out gets the lines shown
     * @param err gets error messages
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return CommandLine.run(NAME, options(), arguments -> top(arguments, out), out, err, args);
    }

    private static int top(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        TopCommand top = new TopCommand(arguments, out);
        return arguments.get(ONCE) ? top.once() : top.untilInterrupted();
    }

    private int once() throws IOException, InterruptedException {
        poll();
        for (int i = 0; i < TRIES_OF_ONCE && !running.values().stream().allMatch(WatchedCluster::hasSpeeds); i++) {
            Thread.sleep(TRY_MILLIS);
            poll();
        }
        List<String> lines = lines();
        (lines.isEmpty() ? List.of(none()) : lines).forEach(out::println);
        out.flush();
        return lines.isEmpty() ? ExitStatus.FAILED : ExitStatus.OK;
    }

    private String none() {
        return arguments
                .find(CLUSTER)
                .map(name -> "no cluster '" + name + "' is running on this machine; ./remus top shows all")
                .orElse("no cluster is running on this machine; ./remus intset starts one");
    }

    /** Runs until Ctrl-C, and then restores the terminal. */
    private int untilInterrupted() throws IOException, InterruptedException {
        try (GracefulShutdown end = new GracefulShutdown(stopped::countDown)) {
            if (live) {
                out.print(ENTER);
            }
            try {
                do {
                    poll();
                    List<String> lines = lines();
                    print(lines.isEmpty() ? List.of(none()) : lines);
                } while (!stopped.await(arguments.get(INTERVAL), TimeUnit.SECONDS));
            } finally {
                if (live) {
                    out.print(LEAVE);
                    out.flush();
                }
            }
            return end.hasBegun() ? ExitStatus.OK : ExitStatus.FAILED;
        }
    }

    private void print(List<String> lines) {
        if (!live) {
            lines.forEach(out::println);
            out.println();
            ended.clear(); // in a log, once is enough
        } else {
            int rows = Terminal.rows();
            StringBuilder text = new StringBuilder(HOME);
            for (int i = 0; i < lines.size() && i < rows - 1; i++) {
                boolean cut = i == rows - 2 && lines.size() > rows - 1;
                text.append(cut ? "..." : lines.get(i)).append(CLEAR_LINE).append('\n');
            }
            out.print(text.append(CLEAR_REST));
        }
        out.flush();
    }

    private void poll() throws IOException, InterruptedException {
        for (String name : arguments.find(CLUSTER).map(List::of).orElse(LocalClusters.names())) {
            running.computeIfAbsent(name, n -> new WatchedCluster(n, live && Terminal.usesColour()));
        }
        for (WatchedCluster cluster : List.copyOf(running.values())) {
            if (!cluster.poll()) {
                running.values().remove(cluster);
                cluster.close();
                if (cluster.hasEnded()) {
                    ended.addFirst(cluster);
                }
            }
        }
        for (int i = 0; i < LOCK_SAMPLES && !running.isEmpty(); i++) {
            Thread.sleep(1);
            for (WatchedCluster cluster : running.values()) {
                cluster.sampleLocks();
            }
        }
        while (ended.size() > MAX_ENDED) {
            ended.removeLast();
        }
    }

    /** The lines of the running clusters, then those of ended ones, the latest first. */
    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        List<WatchedCluster> clusters = new ArrayList<>(running.values());
        clusters.addAll(ended);
        for (WatchedCluster cluster : clusters) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(cluster.lines());
        }
        return lines;
    }
}
