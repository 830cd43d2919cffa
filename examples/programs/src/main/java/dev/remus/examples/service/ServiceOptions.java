// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import dev.remus.config.ClusterSettings;
import dev.remus.config.OnNodeLoss;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The options of the service: its own, which may differ between nodes, and those of a cluster. */
final class ServiceOptions {
    /** Where the front of node 0 would listen. */
    static final OptionSpec<Long> HTTP_PORT = OptionSpec.integer(
                    "--http-port", 0, 64_000, "Each Compute Node listens at this port plus its id; 0 for any free port")
            .withDefault(8080L)
            .perNode();

    private static final OptionSpec<Long> MAX_KEY = OptionSpec.integer(
                    "--max-key", 1, 1024, "The longest key in bytes; longer ones are answered with 414")
            .withDefault(256L)
            .perNode();

    private static final OptionSpec<Long> MAX_BODY = OptionSpec.integer(
                    "--max-body", 0, 262_144, "The longest value in bytes; longer ones are answered with 413")
            .withDefault(65_536L)
            .perNode();

    private static final OptionSpec<Long> MAX_WAITING = OptionSpec.integer(
                    "--max-waiting",
                    0,
                    10_000,
                    "The number of requests that may wait for a Compute Thread; others are answered with 503")
            .withDefault(64L)
            .perNode();

    private static final OptionSpec<Long> REQUEST_TIME = OptionSpec.integer(
                    "--request-time",
                    1,
                    600,
                    "The seconds that a request may take: 503 if it has not begun by then, else 504")
            .withDefault(10L)
            .perNode();

    private static final OptionSpec<Long> DRAIN = OptionSpec.integer(
                    "--drain",
                    0,
                    60,
                    "The seconds for which a node that stops still serves, while its /health is 503 and callers leave")
            .withDefault(1L)
            .perNode();

    /** The file that shows that a node serves. */
    static final OptionSpec<Path> READY_FILE = OptionSpec.path(
                    "--ready-file", "A file for the node's URL, which exists while the node serves")
            .perNode();

    private static final OptionGroup OWN =
            new OptionGroup("Service", HTTP_PORT, MAX_KEY, MAX_BODY, MAX_WAITING, REQUEST_TIME, DRAIN, READY_FILE);

    private static final String SUMMARY = "Serves a map in remote memory over HTTP: GET, PUT and DELETE /keys/KEY,"
            + " /health, and /metrics for Prometheus. With --node-id, this process is that node of a cluster. Without"
            + " it, all nodes are started on this machine, and started again when they end: node 0 offers memory,"
            + " nodes 1 to 3 serve.";

    private static final long BEYOND_REQUESTS_SECONDS = 10;

    private ServiceOptions() {}

    /** The options, with the defaults of a service on this machine. */
    static OptionSet all() {
        Map<String, String> local = new LinkedHashMap<>();
        local.put(RemusOptions.FIRST_MN_ID.name(), "0");
        local.put(RemusOptions.LAST_MN_ID.name(), "0");
        local.put(RemusOptions.FIRST_CN_ID.name(), "1");
        local.put(RemusOptions.LAST_CN_ID.name(), "3");
        local.put(RemusOptions.MN_PORT.name(), "18515");
        local.put(RemusOptions.CN_THREADS.name(), "4");
        local.put(RemusOptions.SEG_SIZE.name(), "24");
        local.put(ClusterSettings.ON_NODE_LOSS.option(), OnNodeLoss.CONTINUE.toString());
        local.put(ClusterSettings.RETURNS.option(), Integer.toString(LocalService.RETURNS));
        return new OptionSet("./remus " + ServiceCommand.NAME, SUMMARY)
                .include(OWN)
                .include(RemusOptions.groups())
                .defaultsWithout(RemusOptions.NODE_ID, local)
                .example("./remus service")
                .example("./remus service --last-cn-id 2 --http-port 0 --drain 5");
    }

    /** A name for a cluster that no other one on this machine has. */
    static Map<String, String> uniqueName() {
        return Map.of(
                RemusOptions.CLUSTER.name(),
                ServiceCommand.NAME + "-" + ProcessHandle.current().pid() + "-"
                        + Integer.toHexString(ThreadLocalRandom.current().nextInt()));
    }

    static Limits limits(Arguments arguments) {
        return new Limits(
                Math.toIntExact(arguments.get(MAX_KEY)),
                Math.toIntExact(arguments.get(MAX_BODY)),
                Math.toIntExact(arguments.get(MAX_WAITING)),
                Duration.ofSeconds(arguments.get(REQUEST_TIME)),
                Duration.ofSeconds(arguments.get(DRAIN)));
    }

    /** The longest time that a node takes to stop. */
    static Duration toStop(Limits limits) {
        return limits.drainTime().plus(limits.requestTime()).plusSeconds(BEYOND_REQUESTS_SECONDS);
    }
}
