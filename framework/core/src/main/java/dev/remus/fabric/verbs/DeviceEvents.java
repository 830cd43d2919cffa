// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import dev.remus.logging.Loggers;
import java.io.IOException;
import org.slf4j.Logger;

/**
 * Reports what happens to a device rather than to a connection: its port goes down or up, its addresses change, or it
 * fails. Connections find out what that means for them on their own. One thread for each device, as long as the process
 * lives.
 */
final class DeviceEvents {
    private static final Logger LOG = Loggers.of(DeviceEvents.class);
    private static final int WAIT_MILLIS = 10_000;

    /** A queue pair that has just connected. */
    private static final String USUAL = "communication established";

    private DeviceEvents() {}

    /**
     * Starts to report the events of a device that has no such thread yet.
     *
     * @param context the address of its {@code struct ibv_context}
     * @param device its name
     */
    static void report(long context, String device) {
        Thread thread = new Thread(() -> run(context, device), "remus-verbs-device-" + device);
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(long context, String device) {
        try {
            while (true) {
                String event = Device.awaitEvent(context, WAIT_MILLIS);
                if (USUAL.equals(event)) {
                    LOG.debug("RDMA device {}: {}", device, event);
                } else if (event != null) {
                    LOG.warn("RDMA device {}: {}", device, event);
                }
            }
        } catch (IOException e) {
            LOG.warn("RDMA device {}: its events can no longer be read: {}", device, e.getMessage());
        }
    }
}
