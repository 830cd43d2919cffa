// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.reproduce.lockfree;

import dev.remus.tools.queue.QueueKind;
import dev.remus.tools.queue.QueueMetric;
import java.util.Map;

/**
 * A point of the figures: one queue, one number of processes, in one run or as the mean of several.
 *
 * @param queue the queue
 * @param processes the number of processes
 * @param operations the operations of each process; if a time limited them, their mean
 * @param throughput operations per second of all processes together: the paper's b = n * p / t
 * @param nanos the mean time per operation in nanoseconds of each part, by its {@link QueueMetric}; without the parts
 *     that are not measured for this queue
 */
record QueuePoint(QueueKind queue, int processes, long operations, double throughput, Map<QueueMetric, Double> nanos) {
    /** The time of a part in microseconds; 0 if it is not measured. */
    double micros(QueueMetric part) {
        return nanos.getOrDefault(part, 0.0) / 1000;
    }

    /** The share of enqueues and dequeues that is spent finding the end or the front; 0 if it is not measured. */
    double hopShare() {
        double whole = micros(QueueMetric.ENQ_ALL) + micros(QueueMetric.DEQ_ALL);
        return whole == 0 ? 0 : (micros(QueueMetric.ENQ_HOP) + micros(QueueMetric.DEQ_HOP)) / whole;
    }

    /** The share of an operation that is spent announcing, for a workload with as many enqueues as dequeues. */
    double announcingShare() {
        double whole = microsPerOperation();
        return whole == 0 ? 0 : micros(QueueMetric.BCAST_ALL) / whole;
    }

    /** The mean time of an operation, for a workload with as many enqueues as dequeues. */
    private double microsPerOperation() {
        return (micros(QueueMetric.ENQ_ALL) + micros(QueueMetric.DEQ_ALL)) / 2;
    }

    /** Operations per second while all processes work: without the end, when the last ones are alone. */
    double throughputOfAll() {
        double micros = microsPerOperation();
        return micros == 0 ? throughput : processes * 1e6 / micros;
    }

    /** The share of the processes' time that passes between the end of their own work and that of the slowest. */
    double idleShare() {
        return 1 - Math.min(1, throughput / throughputOfAll());
    }
}
