// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.cli.cluster.GracefulShutdown;
import dev.remus.cli.progress.Terminal;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The command {@code top}, which shows the activity of the clusters on this machine. Nodes post their figures on the
 * notice board of their machine once a second. A cluster that has ended stays on the screen, with its last
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

    private static final OptionSpec<Boolean> JSON = OptionSpec.flag(
            "--json", "Print each update as one line of JSON, for other programs; nodes that were lost earlier count");

    private static final OptionSpec<String> MACHINES = OptionSpec.text(
            "--machines",
            "file",
            "Show the clusters of several machines in one picture. Each line of the file is ID NAME STREAM: the id of"
                    + " a node, the name of its machine, and a file or pipe with the lines of top --json there."
                    + " cloudlab/cl CLUSTER top does this over ssh");

    /** The most polls with {@code --once}. Nodes post figures every second, so each has posted two by then. */
    private static final int TRIES_OF_ONCE = 12;

    /** The same with {@code --machines}, which take longer to connect: 25 s. */
    private static final int TRIES_OF_MACHINES = 100;

    private static final long TRY_MILLIS = 250;

    /** Switches to the alternate screen and hides the cursor; {@link #LEAVE} reverts this. */
    private static final String ENTER = "\033[?1049h\033[?25l";

    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_REST = "\033[J";

    private final Arguments arguments;
    private final PrintStream out;
    private final boolean live;
    private final Picture picture;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private TopCommand(Arguments arguments, PrintStream out) throws IOException {
        this.arguments = arguments;
        this.out = out;
        this.live = Terminal.isOutput(out)
                && !"dumb".equals(System.getenv("TERM"))
                && !arguments.get(ONCE)
                && !arguments.get(JSON);
        boolean coloured = live && Terminal.usesColour();
        this.picture = arguments.find(MACHINES).isPresent()
                ? MachinesPicture.of(Path.of(arguments.find(MACHINES).get()), coloured)
                : new LocalPicture(arguments.find(CLUSTER), coloured);
    }

    /** The options. */
    public static OptionSet options() {
        return new OptionSet(
                        "./remus " + NAME,
                        SUMMARY + " Covers the clusters of this user, and the last three that ended, with the reason:"
                                + " on the shm fabric all nodes, else those that run on this machine. Ctrl-C ends it.")
                .include(new OptionGroup("Top", CLUSTER, INTERVAL, ONCE, JSON, MACHINES))
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
        return arguments.get(JSON) ? top.json() : arguments.get(ONCE) ? top.once() : top.untilInterrupted();
    }

    private int once() throws IOException, InterruptedException {
        int tries = arguments.find(MACHINES).isPresent() ? TRIES_OF_MACHINES : TRIES_OF_ONCE;
        picture.poll();
        for (int i = 0; i < tries && !picture.isComplete(); i++) {
            Thread.sleep(TRY_MILLIS);
            picture.poll();
        }
        lines().forEach(out::println);
        out.flush();
        return picture.isEmpty() || picture.hasTrouble() ? ExitStatus.FAILED : ExitStatus.OK;
    }

    private List<String> lines() {
        List<String> lines = picture.lines();
        return lines.isEmpty() ? List.of(picture.none()) : lines;
    }

    /** Prints lines of JSON until Ctrl-C, or until nobody reads them. */
    private int json() throws IOException, InterruptedException {
        try (GracefulShutdown end = new GracefulShutdown(stopped::countDown)) {
            boolean isEmpty;
            do {
                List<Sighting> all = Sighting.all().stream()
                        .filter(seen -> arguments
                                .find(CLUSTER)
                                .map(seen.look().name()::equals)
                                .orElse(true))
                        .toList();
                isEmpty = all.isEmpty();
                out.println(SightingJson.line(all));
            } while (!out.checkError()
                    && !arguments.get(ONCE)
                    && !stopped.await(arguments.get(INTERVAL), TimeUnit.SECONDS));
            return isEmpty && arguments.get(ONCE) ? ExitStatus.FAILED : ExitStatus.OK;
        }
    }

    /** Runs until Ctrl-C, and then restores the terminal. */
    private int untilInterrupted() throws IOException, InterruptedException {
        try (GracefulShutdown end = new GracefulShutdown(stopped::countDown)) {
            if (live) {
                out.print(ENTER);
            }
            try {
                do {
                    picture.poll();
                    print(lines());
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
            picture.forgetEnded(); // in a log, once is enough
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
}
