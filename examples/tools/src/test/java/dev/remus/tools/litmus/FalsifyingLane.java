// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.litmus;

import dev.remus.fabric.Chain;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.Completions;
import dev.remus.fabric.Lane;
import dev.remus.fabric.LocalBuffer;
import dev.remus.fabric.Operation;
import java.util.ArrayDeque;
import java.util.Queue;

/** A lane for one thread whose READs can be falsified. */
final class FalsifyingLane implements Lane {
    /** A falsification of READs. */
    interface Falsification {
        /** Changes the result of the {@code n}-th READ, from 1, in local memory. */
        void change(int n, LocalBuffer memory, long offset, int length);
    }

    private final Falsification falsification;
    private final Queue<Long> completed = new ArrayDeque<>();
    private final long[] memory = new long[1 << 13];
    private int reads;

    FalsifyingLane(Falsification falsification) {
        this.falsification = falsification;
    }

    @Override
    public int depth() {
        return 64;
    }

    @Override
    public boolean tryPost(Chain chain) {
        for (int i = 0; i < chain.size(); i++) {
            int length = chain.operation(i) == Operation.COMPARE_AND_SWAP ? 0 : chain.length(i);
            for (int at = 0; at < length; at += Long.BYTES) {
                int word = (int) (chain.offset(i) + at) / Long.BYTES;
                if (chain.operation(i) == Operation.WRITE) {
                    memory[word] = chain.local(i).getLong(chain.localOffset(i) + at);
                } else {
                    chain.local(i).putLong(chain.localOffset(i) + at, memory[word]);
                }
            }
            if (chain.operation(i) == Operation.READ) {
                falsification.change(++reads, chain.local(i), chain.localOffset(i), length);
            }
            if (chain.isSignalled(i)) {
                completed.add(chain.id(i));
            }
        }
        return true;
    }

    @Override
    public int poll(Completions into) {
        into.clear();
        while (!into.isFull() && !completed.isEmpty()) {
            into.add(completed.remove(), CompletionStatus.SUCCESS);
        }
        return into.size();
    }

    @Override
    public boolean isBroken() {
        return false;
    }

    @Override
    public void reconnect() {}
}
