// SPDX-License-Identifier: Apache-2.0
/**
 * The experiment with maps, {@code ./remus kv}: the workloads of YCSB on {@link dev.remus.structures.LongLongMap} and
 * {@link dev.remus.structures.RemoteHashMap}. {@link dev.remus.tools.kv.KvExperiment} is the experiment, {@link
 * dev.remus.tools.kv.KvWorkload} its workload, and {@code KvClient} executes one thread's operations and keeps its
 * books. With {@code --verify}, {@code RecordedKvStore} records what each operation saw.
 *
 * <p>Depends on {@code dev.remus.tools.harness}, whose options and result files it shares.
 */
@NullMarked
package dev.remus.tools.kv;

import org.jspecify.annotations.NullMarked;
