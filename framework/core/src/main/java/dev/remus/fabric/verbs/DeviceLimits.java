// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.remus.config.ClusterSettings;
import dev.remus.fabric.FabricException;
import java.io.IOException;
import java.nio.file.Files;

/**
 * The limits of a device that matter to this fabric.
 *
 * @param device its name
 * @param depth the most requests that a lane may have outstanding on it; a power of two
 * @param maxRegistration the most bytes that can be registered in one piece
 * @param emulated whether it is Soft-RoCE
 */
record DeviceLimits(String device, int depth, long maxRegistration, boolean emulated) {
    private static final int DEPTH = 256;

    /**
     * A power of two, enough for a sequence of {@link dev.remus.fabric.RemoteSequence#CAPACITY} operations and its
     * placement.
     */
    private static final int SMALLEST_DEPTH = 64;

    private static final int NO_ATOMICS = 0;

    /** How many SENDs and probes each queue pair has room for beyond the requests of its owner. */
    static final int OWN_SENDS = 4;

    /** The same for RECVs. */
    static final int OWN_RECEIVES = 2;

    /** @throws FabricException if the device cannot be used */
    static DeviceLimits of(IbvContext disniContext) throws IOException {
        long context = Verbs.handle(disniContext);
        String device = Device.name(context);
        if (Device.atomicCapability(context) == NO_ATOMICS
                || Device.maxReadAtomic(context) < 1
                || Device.maxInitiatorDepth(context) < 1) {
            throw new FabricException("fabric verbs: the RDMA device " + device
                    + " has no atomic operations, without which there is no compare-and-swap. Name an address of "
                    + "another device in " + ClusterSettings.HOSTS.names() + "; ./remus doctor lists them");
        }
        int room = Math.min(Device.maxWorkRequests(context), Device.maxCqe(context)) - OWN_SENDS - OWN_RECEIVES;
        if (room < SMALLEST_DEPTH) {
            throw new FabricException("fabric verbs: the RDMA device " + device + " accepts only " + room
                    + " outstanding requests; a lane needs at least " + SMALLEST_DEPTH);
        }
        // Only Soft-RoCE and its kind have a network device as parent.
        boolean emulated = Files.exists(RdmaPort.DEVICES.resolve(device).resolve("parent"));
        return new DeviceLimits(
                device,
                Math.min(DEPTH, Integer.highestOneBit(room)),
                Math.min(Verbs.MAX_REGISTRATION, Device.maxRegistration(context)),
                emulated);
    }
}
