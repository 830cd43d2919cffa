// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial.page13;

import dev.remus.lock.Acquisition;
import dev.remus.lock.RemoteLock;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.record.RemoteBytes;
import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteLongArray;
import dev.remus.record.RemoteRecord;

/**
 * Balances of accounts in remote memory, with one lock.
 *
 * <p><b>Death.</b> A thread that is lost inside a transfer leaves a plan or none. With a plan, the next one that gets
 * the lock finishes the transfer; without one, no balance has changed. Either way the sum of all balances stays.
 */
public final class Accounts {
    // #region shared
    /** The data that all handles share. */
    public static final class Shared extends RemoteRecord {
        private final RemoteBytes lock;
        private final RemoteLong isPlanned = longField(); // 1 while a plan is being carried out
        private final RemoteLongArray plan = longArrayField(4); // two accounts and new balances
        private final RemoteLongArray balances;

        Shared(int accounts, int threads) {
            lock = bytesField(RemoteLock.bytes(threads));
            balances = longArrayField(accounts);
        }
    }

    private final Shared This;
    private final RemoteLock lock;
    // #endregion shared

    private final boolean plans;

    /** Makes accounts with the same balance in remote memory. */
    public static RdmaPtr<Shared> create(int accounts, long balance, ComputeThread ct) {
        Shared shared = new Shared(accounts, ct.threads());
        shared.allocate(ct);
        RemoteLock lock = new RemoteLock(ct.threads());
        lock.at(shared.lock.pointer());
        lock.init(ct);
        shared.isPlanned.post(0, ct);
        for (int i = 0; i < accounts; i++) {
            shared.balances.post(i, balance, ct);
        }
        ct.place();
        return new RdmaPtr<>(shared.pointer());
    }

    /**
     * Makes a thread's own handle.
     *
     * @param plans whether it writes down what it is about to do; all handles do, or none
     */
    public Accounts(RdmaPtr<Shared> This, int accounts, boolean plans, ComputeThread ct) {
        this.This = new Shared(accounts, ct.threads());
        this.This.at(This);
        this.plans = plans;
        lock = new RemoteLock(ct.threads());
        lock.at(this.This.lock.pointer());
    }

    // #region transfer
    /** Moves an amount from one account to another one. */
    public void transfer(int from, int to, long amount, ComputeThread ct) {
        enter(ct);
        try {
            long lower = This.balances.load(from, ct) - amount;
            long higher = This.balances.load(to, ct) + amount;
            if (plans) {
                plan(from, lower, to, higher, ct);
            }
            This.balances.store(from, lower, ct);
            This.balances.store(to, higher, ct);
            if (plans) {
                This.isPlanned.store(0, ct);
            }
        } finally {
            lock.release(ct);
        }
    }
    // #endregion transfer

    // #region sum
    /** The sum of all balances. */
    public long sum(ComputeThread ct) {
        enter(ct);
        try {
            long sum = 0;
            for (int i = 0; i < This.balances.length(); i++) {
                sum += This.balances.load(i, ct);
            }
            return sum;
        } finally {
            lock.release(ct);
        }
    }
    // #endregion sum

    // #region repair
    private void enter(ComputeThread ct) {
        if (lock.acquire(ct) == Acquisition.HOLDER_DIED) {
            if (This.isPlanned.load(ct) == 1) {
                for (int i = 0; i < This.plan.length(); i += 2) {
                    This.balances.store((int) This.plan.load(i, ct), This.plan.load(i + 1, ct), ct);
                }
                This.isPlanned.store(0, ct);
            }
            lock.makeConsistent();
        }
    }

    private void plan(int from, long lower, int to, long higher, ComputeThread ct) {
        This.plan.post(0, from, ct);
        This.plan.post(1, lower, ct);
        This.plan.post(2, to, ct);
        This.plan.post(3, higher, ct);
        ct.place(); // the plan is whole before it counts
        This.isPlanned.store(1, ct);
    }
    // #endregion repair
}
