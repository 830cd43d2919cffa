package dev.remus.lock;

import java.util.List;
import java.util.OptionalInt;

/**
 * A {@link RemoteLock} at one moment.
 *
 * @param holder the {@link dev.remus.node.ComputeThread#id} of the thread that has it; empty if it is free
 * @param waiters the threads that wait for it
 * @param turns how many tickets have had their turn before
 */
public record LockState(OptionalInt holder, List<Integer> waiters, long turns) {}
