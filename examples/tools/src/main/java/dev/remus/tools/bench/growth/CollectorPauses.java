// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.bench.growth;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The pauses for garbage collection in this process, from the moment at which it is made until it is closed. */
final class CollectorPauses implements AutoCloseable {
    /** The beans of collectors that run beside the program, and have another bean for their pauses. */
    private static final List<String> CONCURRENT = List.of("Cycles", "Concurrent GC");

    private final NotificationListener listener = this::handle;
    private final List<NotificationEmitter> emitters = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(CollectorPauses::pauses)
            .map(NotificationEmitter.class::cast)
            .toList();

    private long count;
    private long longestMillis;

    CollectorPauses() {
        emitters.forEach(emitter -> emitter.addNotificationListener(listener, null, null));
    }

    private static boolean pauses(GarbageCollectorMXBean collector) {
        return CONCURRENT.stream().noneMatch(collector.getName()::endsWith);
    }

    private void handle(Notification notification, Object none) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            add(GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo()
                    .getDuration());
        }
    }

    private synchronized void add(long millis) {
        count++;
        longestMillis = Math.max(longestMillis, millis);
    }

    /** The longest pause in milliseconds, rounded down as the collectors report it; 0 if there was none. */
    synchronized long longestMillis() {
        return longestMillis;
    }

    /** A line for a report. */
    synchronized String describe() {
        return String.format(
                Locale.ROOT, "pauses for garbage collection: %,d, the longest %,d ms", count, longestMillis);
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException("the constructor has added the listener", e);
            }
        }
    }
}
