// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the limit of memory that a process may lock: devices access memory that cannot be swapped out. */
final class LockedMemoryCheck implements Check {
    private static final Pattern LIMIT = Pattern.compile("^Max locked memory\\s+(\\S+)", Pattern.MULTILINE);
    private static final Pattern CAPABILITIES = Pattern.compile("^CapEff:\\s+(\\p{XDigit}+)$", Pattern.MULTILINE);

    /** The bit of CAP_IPC_LOCK, capabilities(7), which lifts the limit. */
    private static final int LOCKS_ANYTHING = 14;

    @Override
    public String subject() {
        return "locked memory";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return fabric.equals(RequestedCluster.VERBS);
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        Matcher found = LIMIT.matcher(machine.read("proc/self/limits").orElse(""));
        if (!found.find()) {
            return List.of(Diagnosis.note("/proc/self/limits does not contain the limit", "ulimit -l"));
        }
        if (found.group(1).equals("unlimited")) {
            return List.of(Diagnosis.ok("unlimited"));
        }
        if (mayLockAnything(machine)) {
            return List.of(Diagnosis.ok("this user is not limited"));
        }
        long limit = Long.parseLong(found.group(1));
        String text = "at most " + ExaminedMachine.size(limit) + "; a Memory Node takes "
                + ExaminedMachine.size(requested.memoryNodeBytes()) + " and a Compute Thread its buffer";
        return List.of(
                limit > requested.memoryNodeBytes()
                        ? Diagnosis.ok(text)
                        : Diagnosis.problem(
                                text,
                                "ulimit -l unlimited; permanently: echo '* - memlock unlimited' |"
                                        + " sudo tee /etc/security/limits.d/rdma.conf, and log in again"));
    }

    private static boolean mayLockAnything(ExaminedMachine machine) {
        Matcher found = CAPABILITIES.matcher(machine.read("proc/self/status").orElse(""));
        return found.find() && (Long.parseUnsignedLong(found.group(1), 16) >> LOCKS_ANYTHING & 1) == 1;
    }
}
