// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.doctor;

import dev.remus.fabric.FabricException;
import dev.remus.fabric.verbs.NativeLibrary;
import java.util.List;
import java.util.Objects;

/** Checks that the native half of the verbs fabric can be loaded. */
final class NativeLibraryCheck implements Check {
    @Override
    public String subject() {
        return "libdisni";
    }

    @Override
    public boolean isNeededBy(String fabric) {
        return fabric.equals(RequestedCluster.VERBS);
    }

    @Override
    public List<Diagnosis> examine(ExaminedMachine machine, RequestedCluster requested) {
        try {
            NativeLibrary.load();
            return List.of(Diagnosis.ok("loaded"));
        } catch (FabricException e) {
            return List.of(Diagnosis.problem(
                    Objects.toString(e.getMessage(), e.toString()),
                    "sudo apt-get install gcc libc6-dev libibverbs-dev librdmacm-dev ibverbs-providers rdma-core &&"
                            + " ./remus clean"));
        }
    }
}
