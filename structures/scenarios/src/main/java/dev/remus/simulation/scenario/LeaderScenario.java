// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import static dev.remus.simulation.scenario.TroubledCluster.repeated;

import dev.remus.fabric.OutcomeUnknownException;
import dev.remus.lock.LeaderSlot;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.simulation.Scenario;
import dev.remus.simulation.Schedule;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Threads lead in turn, while a node is lost, a thread is delayed and lanes break. Each leader reads a word on the
 * other Memory Node, which must be the term of the last one, and posts its own term there. Only one may lead, unless
 * the others are known to be lost; terms must grow, and each thread that is left must lead as often as it wants to.
 *
 * <p>This scenario chooses its own faults and ignores those of the schedule.
 *
 * @param threads the number of threads, which is even
 * @param rounds how often each wants to lead
 */
public record LeaderScenario(int threads, int rounds) implements Scenario {
    private static final int MAX_PAUSES = 3;

    /** Rejects parameters that cannot be run. */
    public LeaderScenario {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: needs at least one");
        }
    }

    @Override
    public void run(Schedule schedule) throws Exception {
        TroubledCluster troubled = new TroubledCluster(threads, schedule);
        Run run = new Run();
        troubled.cluster()
                .prepared(run::prepare)
                .concluded(run::conclude)
                .run(ct -> run.work(schedule.choices(ct.id()), ct));
        run.judge(troubled.lost());
    }

    /** Records of the run, on the Java heap, since one thread runs at a time. */
    private final class Run {
        private static final int NOBODY = -1;

        private final Set<Integer> through = new TreeSet<>();
        private final PostedWords posted = new PostedWords(threads);
        private RdmaPtr<LeaderSlot> shared = RdmaPtr.nullPointer();
        private long word;
        private int leader = NOBODY;
        private int lastLeader = NOBODY;
        private long lastTerm;

        /** The term that the word had when the last leader began. */
        private long before;

        void prepare(ComputeThread ct) {
            if (ct.id() == 0) {
                shared = LeaderSlot.create(ct);
                posted.allocate(ct);
                word = ct.allocateOn(1, Long.BYTES);
                ct.write(word, 0);
            }
        }

        void work(SplittableRandom random, ComputeThread ct) {
            LeaderSlot slot = new LeaderSlot(shared);
            for (int i = 0; i < rounds; i++) {
                boolean leads = posted.before(() -> slot.tryLead(ct), ct);
                while (!leads) {
                    ct.pause();
                    leads = slot.tryLead(ct);
                }
                begin(slot, ct);
                for (int j = random.nextInt(MAX_PAUSES); j > 0; j--) {
                    ct.pause();
                }
                checkNamed(slot, ct);
                checkStillLeads(slot, ct);
                end(slot, ct);
                if (ct.locks().contains(shared.raw())) {
                    throw new AssertionError(ct + " is recorded as the leader after it has resigned");
                }
            }
            through.add(ct.id());
        }

        private void begin(LeaderSlot slot, ComputeThread ct) {
            if (leader != NOBODY && !ct.peers().isLost(leader)) {
                throw new AssertionError(ct + " leads, and so does thread " + leader);
            }
            if (slot.term() <= lastTerm) {
                throw new AssertionError(ct + " leads in term " + slot.term() + " after term " + lastTerm);
            }
            boolean isLastLost = lastLeader != NOBODY && ct.peers().isLost(lastLeader);
            leader = ct.id();
            long found = repeated(() -> ct.read(word), ct); // if it is lost here, it has changed nothing
            if (found != lastTerm && !(isLastLost && found == before)) {
                throw new AssertionError(ct + " leads in term " + slot.term() + " after term " + lastTerm
                        + (isLastLost ? ", whose leader was lost," : "") + " and reads the term " + found);
            }
            lastLeader = ct.id();
            lastTerm = slot.term();
            before = found;
        }

        /** The word of the slot names this thread. */
        private void checkNamed(LeaderSlot slot, ComputeThread ct) {
            OptionalInt named = slot.leader(ct);
            if (named.isEmpty() || named.getAsInt() != ct.id()) {
                throw new AssertionError(ct + " leads, and the leader is said to be " + named);
            }
        }

        /** A leader that tries again goes on leading in the same term. A thread that ends as the leader is noticed. */
        private void checkStillLeads(LeaderSlot slot, ComputeThread ct) {
            long term = slot.term();
            if (!posted.before(() -> slot.tryLead(ct), ct) || slot.term() != term) {
                throw new AssertionError(ct + " leads in term " + term + ", tries again, and does not lead in it");
            }
            if (!ct.locks().contains(shared.raw())) {
                throw new AssertionError(ct + " leads, and is not recorded as the leader");
            }
        }

        private void end(LeaderSlot slot, ComputeThread ct) {
            long term = slot.term();
            while (slot.isLeading()) {
                ct.post(word, term);
                leader = NOBODY;
                try {
                    slot.resign(ct);
                } catch (OutcomeUnknownException e) {
                    leader = ct.id(); // what it has posted may be lost
                }
            }
        }

        /** No thread leads any more. */
        void conclude(ComputeThread ct) {
            OptionalInt named = new LeaderSlot(shared).leader(ct);
            if (named.isPresent() && !ct.peers().isLost(named.getAsInt())) {
                throw new AssertionError("thread " + named + " leads after it has resigned");
            }
        }

        void judge(Set<Integer> lost) {
            for (int thread = 0; thread < threads; thread++) {
                if (!lost.contains(thread) && !through.contains(thread)) {
                    throw new AssertionError(
                            "thread " + thread + " tries for ever to lead, when threads " + lost + " were lost");
                }
            }
        }
    }
}
