// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.processes;

import dev.remus.cli.cluster.Job;
import dev.remus.cli.cluster.NodeContext;
import dev.remus.cli.cluster.Program;
import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.config.ClusterConfig;
import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionGroup;
import dev.remus.options.OptionSet;
import dev.remus.options.OptionSpec;
import dev.remus.options.RemusOptions;
import dev.remus.structures.LazyListSet;
import dev.remus.structures.LongLazyListSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A program whose link to the Memory Node may go down and come back. Each thread adds to a counter of its own, and
 * inserts and removes keys of its own in a set that all share, until a file exists. It keeps books: an operation with
 * an unknown outcome is the only one that may be missing.
 */
final class FlappingLinkProgram implements Program {
    /** The line that each thread prints once it works. */
    static final String WORKING = "working";

    /** The beginning of the line that each thread prints at the end. */
    static final String BALANCED = "books: balanced";

    private static final OptionSpec<Path> UNTIL = OptionSpec.path("--until", "The file whose existence ends the work")
            .required()
            .perNode();

    private static final int KEYS = 4;

    /** So many that a link which goes down often leaves one with an unknown outcome. */
    private static final int ADDITIONS = 25;

    private static final long SECOND_NANOS = 1_000_000_000;

    /** Runs the program. */
    public static void main(String... args) {
        ProgramRunner.watchParent();
        String[] words = args.length > 0 && args[0].equals("flaps") ? Arrays.copyOfRange(args, 1, args.length) : args;
        System.exit(new ProgramRunner(new FlappingLinkProgram(), FlappingLinkProgram.class, System.out, System.err)
                .run(words));
    }

    @Override
    public String name() {
        return "flaps";
    }

    @Override
    public String summary() {
        return "Works on while its link is down at times.";
    }

    @Override
    public OptionSet options() {
        return new OptionSet(name(), summary())
                .include(new OptionGroup("Flapping link", UNTIL))
                .include(RemusOptions.groups());
    }

    @Override
    public Job prepare(Arguments arguments, ClusterConfig cluster) {
        Path until = arguments.get(UNTIL);
        return (ct, context) -> run(ct, context, until);
    }

    private static void run(ComputeThread ct, NodeContext context, Path until) {
        if (ct.id() == 0) { // the pointer to the set, and a counter for each thread
            long words = ct.allocate((1L + ct.threads()) * Long.BYTES);
            ct.write(words, LongLazyListSet.create(ct).raw());
            for (int i = 1; i <= ct.threads(); i++) {
                ct.write(words + (long) i * Long.BYTES, 0);
            }
            ct.root().set(new RdmaPtr<>(words));
        }
        ct.barrier();
        Books books = new Books(ct);
        books.work();
        context.print(WORKING);
        while (!Files.exists(until)) {
            books.work();
        }
        ct.barrier();
        context.print(BALANCED + ", " + books.audit());
    }

    /** What one thread has done. */
    private static final class Books {
        private final ComputeThread ct;
        private final long counter;
        private final LongLazyListSet set;
        private final boolean[] present = new boolean[KEYS];
        private long added;
        private long unknownAdditions;
        private long toggled;
        private long unknownToggles;
        private long longestNanos;

        Books(ComputeThread ct) {
            this.ct = ct;
            long words = ct.root().get().raw();
            this.counter = words + (1L + ct.id()) * Long.BYTES;
            this.set = new LongLazyListSet(new RdmaPtr<LazyListSet.Shared>(ct.read(words)));
        }

        /** Does both kinds of operations a few times. */
        void work() {
            for (int i = 0; i < KEYS; i++) {
                long begin = ct.nanoTime();
                for (int j = 0; j < ADDITIONS; j++) {
                    add();
                }
                toggle(i);
                longestNanos = Math.max(longestNanos, ct.nanoTime() - begin);
            }
        }

        private void add() {
            try {
                ct.fetchAndAdd(counter, 1);
                added++;
            } catch (OutcomeUnknownException e) {
                unknownAdditions++;
            }
        }

        private void toggle(int i) {
            try {
                boolean isDone = present[i] ? set.remove(key(i), ct) : set.insert(key(i), ct);
                check(isDone, "key " + key(i) + " has changed by itself");
                present[i] = !present[i];
                toggled++;
            } catch (OutcomeUnknownException e) {
                unknownToggles++;
                present[i] = set.contains(key(i), ct);
            }
        }

        private long key(int i) {
            return (long) ct.id() * KEYS + i;
        }

        /** Compares the books with the memory. */
        String audit() {
            long counted = ct.read(counter);
            check(
                    counted >= added && counted <= added + unknownAdditions,
                    counted + " additions are counted, " + added + " returned and " + unknownAdditions
                            + " have an unknown outcome");
            for (int i = 0; i < KEYS; i++) {
                check(set.contains(key(i), ct) == present[i], "key " + key(i) + " is not as it was left");
            }
            return added + " additions and " + toggled + " changes of the set; unknown outcomes: " + unknownAdditions
                    + " and " + unknownToggles + "; the longest wait took " + longestNanos / SECOND_NANOS + " s";
        }

        private void check(boolean holds, String otherwise) {
            if (!holds) {
                throw new IllegalStateException(ct + ": " + otherwise);
            }
        }
    }
}
