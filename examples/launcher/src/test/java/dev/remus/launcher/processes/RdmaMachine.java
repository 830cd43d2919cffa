package dev.remus.launcher.processes;

import java.nio.file.Path;

/** Whether this machine has an RDMA device. */
final class RdmaMachine {
    /** Why tests are skipped. */
    static final String MISSING = "this machine has no RDMA device: /sys/class/infiniband is empty. "
            + "\"./remus rxe-vm\" starts a virtual machine that has one";

    private RdmaMachine() {}

    /** Asked by JUnit. */
    static boolean isThere() {
        String[] devices = Path.of("/sys/class/infiniband").toFile().list();
        return devices != null && devices.length > 0;
    }
}
