package dev.remus.examples.top;

import dev.remus.examples.cluster.CommandLine;
import dev.remus.examples.cluster.EndOfProcess;
import dev.remus.examples.cluster.ExitStatus;
import dev.remus.examples.progress.Terminal;
import dev.remus.fabric.shm.LocalClusters;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows what the clusters on this machine do, over and over: the nodes put their figures on the notice board of the {@code
 * shm} fabric once a second.
 */
public final class TopCommand {
    /** The word by which it is called. */
    public static final String NAME = "top";

    /** What it does, in one line. */
    public static final String SUMMARY =
            "Shows live what the clusters on this machine do: operations, memory, locks, lost nodes.";

    private static final OptionSpec<String> CLUSTER =
            OptionSpec.text("--cluster", "name", "The cluster to show; by default all of this user");

    private static final OptionSpec<Long> INTERVAL = OptionSpec.integer(
                    "--interval", 1, 3600, "Seconds between one look and the next")
            .withDefault(1L);

    private static final OptionSpec<Boolean> ONCE =
            OptionSpec.flag("--once", "Look for about two seconds, print once and end; 1 if there is no cluster");

    /** Nodes put up their figures every second, so that two of them are there after this. */
    private static final int TRIES_OF_ONCE = 12;

    private static final long TRY_MILLIS = 250;

    private static final String NONE = "no cluster is running on this machine; ./remus intset starts one";

    /** Another screen, without a cursor; and back. */
    private static final String ENTER = "\033[?1049h\033[?25l";

    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_REST = "\033[J";

    private final Arguments arguments;
    private final PrintStream out;
    private final boolean live;
    private final TreeMap<String, Screen> screens = new TreeMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private TopCommand(Arguments arguments, PrintStream out) {
        this.arguments = arguments;
        this.out = out;
        this.live = Terminal.isOutput(out) && !arguments.get(ONCE);
    }

    /** The options. */
    public static OptionSet options() {
        return new OptionSet(NAME, SUMMARY + " Ctrl-C ends it. Clusters of the shm fabric, of this user.")
                .include(new OptionGroup("Top", CLUSTER, INTERVAL, ONCE))
                .example("./remus top")
                .example("./remus top --once --cluster demo");
    }

    /**
     * Runs the command.
     *
     * @param out gets what is shown
     * @param err gets complaints
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return CommandLine.run(NAME, options(), arguments -> top(arguments, out), out, err, args);
    }

    private static int top(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        TopCommand top = new TopCommand(arguments, out);
        return arguments.get(ONCE) ? top.once() : top.forEver();
    }

    private int once() throws IOException, InterruptedException {
        List<Look> looks = look();
        for (int i = 0;
                i < TRIES_OF_ONCE && !looks.stream().allMatch(l -> screen(l).knowsSpeeds(l));
                i++) {
            Thread.sleep(TRY_MILLIS);
            List<Look> next = look();
            looks = next.isEmpty() ? looks : next; // better than nothing if it has just ended
        }
        lines(looks).forEach(out::println);
        out.flush();
        return looks.isEmpty() ? ExitStatus.FAILED : ExitStatus.OK;
    }

    /** Until Ctrl-C, which leaves the terminal as it was. */
    private int forEver() throws IOException, InterruptedException {
        try (EndOfProcess end = new EndOfProcess(stopped::countDown)) {
            if (live) {
                out.print(ENTER);
            }
            try {
                do {
                    print(lines(look()));
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

    private List<Look> look() throws IOException {
        List<Look> looks = new ArrayList<>();
        Optional<String> wanted = arguments.find(CLUSTER);
        for (String name : wanted.map(List::of).orElse(LocalClusters.names())) {
            Optional<Look> look = LocalClusters.look(name);
            look.ifPresent(looks::add);
        }
        looks.forEach(look -> screen(look).note(look));
        screens.keySet().removeIf(name -> looks.stream().noneMatch(l -> l.name().equals(name)));
        return looks;
    }

    private Screen screen(Look look) {
        return screens.computeIfAbsent(look.name(), name -> new Screen(live && Terminal.wantsColour()));
    }

    private List<String> lines(List<Look> looks) {
        List<String> lines = new ArrayList<>();
        for (Look look : looks) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(screen(look).show(look));
        }
        return lines.isEmpty() ? List.of(NONE) : lines;
    }
}
