// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.sim;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.Completions;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.MemoryEndpoint;
import dev.remus.fabric.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * A few threads that execute chains of requests on words that are 0 at first. Each thread has a Compute Node and two
 * lanes to each Memory Node. Words have one letter; each {@code x} has a second word behind it.
 *
 * <p>An outcome consists of what READs and atomics returned, in the order of threads and of requests, and of the final
 * values of some words, as in {@code 0 1 x=2}.
 */
final class LitmusProgram {
    private static final int NODES = 2;
    private static final int LANES = 2;
    private static final int SLOTS = 32;
    private static final int SCRATCH = 16 * (SLOTS - 1);

    /** One request; {@code a} and {@code b} are the values that it writes, expects or adds. */
    record Request(Operation operation, char word, int words, long a, long b, boolean fenced) {
        Request fence() {
            return new Request(operation, word, words, a, b, true);
        }

        boolean hasResult() {
            return operation != Operation.WRITE;
        }
    }

    /** Requests that are posted together. */
    record Step(int lane, boolean awaited, List<Request> requests) {
        Step onLane(int other) {
            return new Step(other, awaited, requests);
        }

        Step posted() {
            return new Step(lane, false, requests);
        }
    }

    static Request read(char word) {
        return new Request(Operation.READ, word, 1, 0, 0, false);
    }

    static Request readBoth(char word) {
        return new Request(Operation.READ, word, 2, 0, 0, false);
    }

    static Request write(char word, long value) {
        return new Request(Operation.WRITE, word, 1, value, 0, false);
    }

    static Request writeBoth(char word, long first, long second) {
        return new Request(Operation.WRITE, word, 2, first, second, false);
    }

    static Request add(char word, long delta) {
        return new Request(Operation.FETCH_AND_ADD, word, 1, delta, 0, false);
    }

    static Request swap(char word, long expected, long desired) {
        return new Request(Operation.COMPARE_AND_SWAP, word, 1, expected, desired, false);
    }

    /** A chain that is awaited; if it ends with a WRITE, until that is placed. */
    static Step chain(Request... requests) {
        return new Step(0, true, List.of(requests));
    }

    private final List<List<Step>> threads = new ArrayList<>();
    private boolean spread;
    private String shown = "";

    /** Adds a thread. */
    LitmusProgram thread(Step... steps) {
        threads.add(List.of(steps));
        return this;
    }

    /** Puts y on the second Memory Node. */
    LitmusProgram onTwoNodes() {
        spread = true;
        return this;
    }

    /** Adds the final values of these words to an outcome. */
    LitmusProgram showing(String words) {
        shown = words;
        return this;
    }

    /**
     * All outcomes of the schedules of a search.
     *
     * @param share whether the search must assume that threads share Java objects
     */
    Set<String> outcomes(ExhaustiveSearch search, boolean share, Set<Weakness> weaknesses, long most) {
        Set<String> outcomes = new TreeSet<>();
        while (search.hasNext() && search.runs() < most) {
            Simulator simulator = new Simulator(0, search.next(), weaknesses);
            outcomes.add(run(share ? simulator : simulator.sharesOnlyRecords()));
        }
        return outcomes;
    }

    /** All outcomes, with all weaknesses. */
    Set<String> outcomes() {
        ExhaustiveSearch search = new ExhaustiveSearch();
        Set<String> outcomes = outcomes(search, false, EnumSet.allOf(Weakness.class), Long.MAX_VALUE);
        if (!search.bounds().isEmpty()) {
            throw new AssertionError("not complete: " + search.bounds());
        }
        return outcomes;
    }

    private String run(Simulator simulator) {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("litmus")
                .memoryNodes(0, NODES - 1)
                .computeNodes(NODES, NODES + threads.size() - 1)
                .segmentSizeLog2(12)
                .build();
        SimFabric fabric = new SimFabric(simulator);
        StringJoiner outcome = new StringJoiner(" ");
        simulator.startTogether(threads.size()).run(() -> {
            try (MemoryEndpoint first = fabric.openMemory(config, 0);
                    MemoryEndpoint second = fabric.openMemory(config, 1)) {
                first.publish();
                second.publish();
                OneThread[] opened = new OneThread[threads.size()];
                List<Environment.Task> tasks = new ArrayList<>();
                for (int i = 0; i < opened.length; i++) {
                    int number = i;
                    tasks.add(simulator.start("thread-" + number, false, () -> {
                        opened[number] = new OneThread(simulator, fabric.openCompute(config, NODES + number), number);
                        opened[number].run();
                    }));
                }
                for (Environment.Task task : tasks) {
                    task.join();
                }
                List<OneThread> all = List.of(opened);
                all.forEach(thread -> thread.results.forEach(result -> outcome.add(Long.toString(result))));
                for (char word : shown.toCharArray()) {
                    outcome.add(word + "=" + all.get(0).readFinally(word));
                }
                all.forEach(thread -> thread.compute.close());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        return outcome.toString();
    }

    private final class OneThread {
        private final Simulator simulator;
        private final ComputeEndpoint compute;
        private final int number;
        private final Link[] links = new Link[NODES];
        private final LocalBuffer local;
        private final Completions completions = new Completions(8);
        private final List<Integer> slots = new ArrayList<>();
        private final List<Long> results = new ArrayList<>();
        private int used;

        OneThread(Simulator simulator, ComputeEndpoint compute, int number) {
            this.simulator = simulator;
            this.compute = compute;
            this.number = number;
            Arrays.setAll(links, node -> compute.connect(node, LANES, Duration.ofSeconds(1)));
            this.local = compute.allocateLocal(16 * SLOTS);
        }

        void run() {
            simulator.expose(number);
            threads.get(number).forEach(this::execute);
            simulator.shelter();
            place();
            slots.forEach(slot -> results.add(local.getLong(slot)));
        }

        private void execute(Step step) {
            int node = nodeOf(step.requests().get(0).word());
            Chain chain = new Chain(8).clear();
            for (Request request : step.requests()) {
                add(chain, request);
                if (request.fenced()) {
                    chain.fenced();
                }
            }
            Request last = step.requests().get(step.requests().size() - 1);
            if (step.awaited() && last.operation() == Operation.WRITE) {
                chain.read(links[node].segment(0), 0, local, SCRATCH, 8); // proves that it is placed
            }
            Lane lane = links[node].lane(step.lane());
            lane.post(step.awaited() ? chain.signalled(1) : chain);
            if (step.awaited()) {
                await(lane);
            }
        }

        private void await(Lane lane) {
            completions.clear();
            while (lane.poll(completions) == 0) {
                simulator.newPauses().pause(0, Long.MAX_VALUE);
            }
        }

        private void add(Chain chain, Request r) {
            int slot = 16 * used++;
            var segment = links[nodeOf(r.word())].segment(0);
            long offset = 64L * (r.word() - 'w');
            for (int i = 0; r.hasResult() && i < r.words(); i++) {
                slots.add(slot + 8 * i);
            }
            switch (r.operation()) {
                case READ -> chain.read(segment, offset, local, slot, 8 * r.words());
                case WRITE -> {
                    local.putLong(slot, r.a());
                    local.putLong(slot + 8, r.b());
                    chain.write(segment, offset, local, slot, 8 * r.words());
                }
                case FETCH_AND_ADD -> chain.fetchAndAdd(segment, offset, r.a(), local, slot);
                case COMPARE_AND_SWAP -> chain.compareAndSwap(segment, offset, r.a(), r.b(), local, slot);
            }
        }

        private int nodeOf(char word) {
            return spread && word == 'y' ? 1 : 0;
        }

        /** Waits until all that was posted is placed. */
        private void place() {
            for (Link link : links) {
                for (int lane = 0; lane < LANES; lane++) {
                    Chain chain = new Chain(1).clear().read(link.segment(0), 0, local, SCRATCH, 8);
                    link.lane(lane).post(chain.signalled(1));
                    await(link.lane(lane));
                }
            }
        }

        long readFinally(char word) {
            Link link = links[nodeOf(word)];
            Chain chain = new Chain(1).clear().read(link.segment(0), 64L * (word - 'w'), local, SCRATCH, 8);
            link.lane(0).post(chain.signalled(1));
            await(link.lane(0));
            return local.getLong(SCRATCH);
        }
    }

    /** The threads with their steps. */
    @Override
    public String toString() {
        return threads + (spread ? " on two nodes" : "");
    }
}
