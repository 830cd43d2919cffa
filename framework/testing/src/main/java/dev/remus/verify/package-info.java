// SPDX-License-Identifier: Apache-2.0
/**
 * Records the operations of real threads, on any fabric and over any number of processes and machines. Each thread
 * writes an {@link dev.remus.verify.OperationLog}, which costs it two readings of the clock and three words of its own
 * memory per operation. A {@link dev.remus.verify.LogExchange} brings the logs of a cluster together as one
 * {@link dev.remus.verify.RecordedRun}, which a judge decides afterwards: those of {@code remus-scenarios} for sets and
 * queues, or any {@link dev.remus.check.Checker} for {@linkplain dev.remus.verify.RecordedRun#history histories}.
 *
 * <pre>{@code
 * LogExchange logs = new LogExchange();
 * if (ct.id() == 0) logs.create(ct);           // and hand logs.pointer() to the other threads, which call logs.at(...)
 * ct.barrier();
 * logs.begin(ct);
 * OperationLog log = new OperationLog(operations);
 * ct.barrier();
 * log.call(SetCodes.INSERT, key);              // for each operation
 * log.returned(SetCodes.outcome(set.insert(key, ct)));
 * ct.barrier();
 * logs.collect(log, ct)                        // on the thread with id 0
 *         .ifPresent(run -> System.out.println(new SetJudge(key -> false).judge(run)));
 * }</pre>
 *
 * <p>Depends on {@code dev.remus.node}, {@code dev.remus.record} and {@code dev.remus.check}.
 */
@NullMarked
package dev.remus.verify;

import org.jspecify.annotations.NullMarked;
