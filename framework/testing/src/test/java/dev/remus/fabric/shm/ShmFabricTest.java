// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric.shm;

import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricConformance;

/** Shared memory keeps the fabric contract. */
class ShmFabricTest extends FabricConformance {
    @Override
    protected Fabric fabric() {
        return new ShmFabric();
    }

    /** Memory cannot be taken away from a process. */
    @Override
    public boolean cutsOffTheLiving() {
        return false;
    }
}
