// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.queues;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Items per second, by race, queue and round. */
final class Throughputs {
    private record Key(Race race, QueueUnderTest subject) {}

    private final Map<Key, List<Double>> values = new LinkedHashMap<>();

    void add(Race race, QueueUnderTest subject, double perSecond) {
        values.computeIfAbsent(new Key(race, subject), key -> new ArrayList<>()).add(perSecond);
    }

    /** In the order of the rounds. */
    List<Double> of(Race race, QueueUnderTest subject) {
        return values.getOrDefault(new Key(race, subject), List.of());
    }

    /** The median over all rounds of a queue's throughput divided by the reference's; NaN without a reference. */
    double ratio(Race race, QueueUnderTest subject) {
        List<Double> mine = of(race, subject);
        List<Double> peers = of(race, QueueUnderTest.AGRONA);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(mine.size(), peers.size()); round++) {
            ratios.add(mine.get(round) / peers.get(round));
        }
        return median(ratios);
    }

    /** The median, the lower one of an even number of values; NaN if there are none. */
    static double median(List<Double> values) {
        return values.isEmpty() ? Double.NaN : values.stream().sorted().toList().get((values.size() - 1) / 2);
    }
}
