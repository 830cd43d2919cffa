// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service.load;

import dev.remus.cli.cluster.CommandLine;
import dev.remus.cli.cluster.ExitStatus;
import dev.remus.examples.service.LocalService;
import dev.remus.examples.service.StopSignal;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** The command {@code service-load}, which puts load on a service, kills and restarts its nodes, and judges answers. */
public final class LoadCommand {
    /** The name of the command. */
    public static final String NAME = "service-load";

    private static final String SUMMARY =
            "Clients of the service read and change keys of their own over HTTP, and judge"
                    + " every answer, while nodes are killed and restarted. Ends with status 0 if no answer was wrong, and no"
                    + " request failed but those in flight at a node that was killed. Without --url, it starts a service of"
                    + " its own.";

    private static final OptionSpec<List<String>> URLS =
            OptionSpec.list("--url", "http://127.0.0.1:8081", "The nodes of a service that runs, separated by commas");

    private static final OptionSpec<Long> NODES = OptionSpec.integer(
                    "--nodes", 1, 64, "The number of Compute Nodes of a service of its own")
            .withDefault(3L);

    private static final OptionSpec<Long> CLIENTS = OptionSpec.integer(
                    "--clients", 1, 1000, "The number of clients, each of which sends one request at a time")
            .withDefault(8L);

    private static final OptionSpec<Long> KEYS = OptionSpec.integer(
                    "--keys", 1, 100_000, "The number of keys of each client")
            .withDefault(50L);

    private static final OptionSpec<Long> VALUE_BYTES = OptionSpec.integer(
                    "--value-bytes", 1, 65_000, "The size of values; more if a value's name is longer")
            .withDefault(100L);

    private static final OptionSpec<Long> RUN_TIME = OptionSpec.integer(
                    "--run-time", 1, 1_000_000, "The seconds for which the clients go on")
            .withDefault(30L);

    private static final OptionSpec<Long> KILL_EVERY = OptionSpec.integer(
                    "--kill-every",
                    0,
                    1_000_000,
                    "Every so many seconds, the next node is killed by SIGKILL or asked to stop by SIGTERM, in turn;"
                            + " something has to start it again; 0 for never")
            .withDefault(0L);

    private static final OptionSpec<Long> SEED = OptionSpec.integer(
            "--seed", 0, Long.MAX_VALUE, "The seed of keys and operations; by default from the clock");

    private static final Pattern URL = Pattern.compile("http://[^/]+");
    private static final Pattern OWN_MACHINE = Pattern.compile("http://(127\\.0\\.0\\.1|localhost)(:\\d+)?");
    private static final Duration TO_STOP = Duration.ofSeconds(60);

    private LoadCommand() {}

    /**
     * Runs the command.
     *
     * @param mainClass the main class of each node, whose arguments are the name of a command and its command line
     * @param args the command line, without the name
     * @return an {@link ExitStatus}
     */
    public static int run(Class<?> mainClass, PrintStream out, PrintStream err, String... args) {
        OptionSet options = new OptionSet("./remus " + NAME, SUMMARY)
                .include(new OptionGroup("Load", URLS, NODES, CLIENTS, KEYS, VALUE_BYTES, RUN_TIME, KILL_EVERY, SEED))
                .example("./remus service-load --run-time 60 --kill-every 10")
                .example("./remus service-load --url http://127.0.0.1:8081,http://127.0.0.1:8082");
        return CommandLine.run(NAME, options, arguments -> run(mainClass, arguments, out, err), out, err, args);
    }

    private static int run(Class<?> mainClass, Arguments arguments, PrintStream out, PrintStream err) {
        List<String> urls = arguments.get(URLS);
        check(arguments, urls);
        try (StopSignal stop = new StopSignal(TO_STOP)) {
            int status;
            try {
                status = urls.isEmpty()
                        ? withOwnService(mainClass, arguments, out, err)
                        : load(arguments, urls, out, err).run();
            } catch (InterruptedException e) {
                status = ExitStatus.FAILED; // it has not judged
            }
            return stop.endWith(status);
        }
    }

    private static void check(Arguments arguments, List<String> urls) {
        if (!urls.stream().allMatch(url -> URL.matcher(url).matches())) {
            throw arguments.usageError(URLS, "addresses such as http://127.0.0.1:8081");
        } else if (!urls.isEmpty() && arguments.isGiven(NODES)) {
            throw arguments.usageError(NODES, "to be left out with " + URLS);
        } else if (arguments.get(KILL_EVERY) > 0
                && !urls.stream().allMatch(url -> OWN_MACHINE.matcher(url).matches())) {
            throw arguments.usageError(KILL_EVERY, "0 unless all nodes run on this machine");
        }
        if (urls.isEmpty() && kills(arguments) > LocalService.RETURNS * arguments.get(NODES)) {
            throw arguments.usageError(
                    KILL_EVERY,
                    "more seconds, or more " + NODES.name() + ": a node comes back " + LocalService.RETURNS
                            + " times, and the run would have " + kills(arguments) + " kills for "
                            + arguments.get(NODES) + " nodes");
        }
    }

    private static long kills(Arguments arguments) {
        long every = arguments.get(KILL_EVERY);
        return every == 0 ? 0 : (arguments.get(RUN_TIME) - 1) / every;
    }

    private static Load load(Arguments arguments, List<String> urls, PrintStream out, PrintStream err) {
        Load.Plan plan = new Load.Plan(
                Math.toIntExact(arguments.get(CLIENTS)),
                Math.toIntExact(arguments.get(KEYS)),
                Math.toIntExact(arguments.get(VALUE_BYTES)),
                arguments.get(RUN_TIME),
                arguments.get(KILL_EVERY));
        long seed = arguments.find(SEED).orElseGet(System::currentTimeMillis);
        return new Load(plan, urls, seed, out, err);
    }

    private static int withOwnService(Class<?> mainClass, Arguments arguments, PrintStream out, PrintStream err)
            throws InterruptedException {
        int nodes = Math.toIntExact(arguments.get(NODES));
        AtomicInteger status = new AtomicInteger(ExitStatus.FAILED);
        try (LocalService service = LocalService.of(mainClass, out, err, "--http-port=0", "--last-cn-id=" + nodes)) {
            service.start();
            if (!service.supervise(() -> service.urls().size() == nodes)) {
                return ExitStatus.NOT_STARTED;
            }
            Load load = load(arguments, List.copyOf(service.urls().values()), out, err);
            Thread thread = new Thread(
                    () -> {
                        try {
                            status.set(load.run());
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "load");
            thread.start();
            try {
                service.supervise(() -> !thread.isAlive());
            } finally {
                thread.interrupt();
                Thread.interrupted(); // the nodes get their time to stop
            }
        }
        return status.get();
    }
}
