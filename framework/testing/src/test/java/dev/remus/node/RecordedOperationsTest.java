// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.LocalBuffer;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("oldest-jdk")
@Timeout(120)
class RecordedOperationsTest {
    @Test
    void asynchronousOperationsAreUnchangedWhileOthersAreRecorded() {
        ClusterConfig config = ClusterConfig.builder()
                .cluster("recorded-" + ProcessHandle.current().pid())
                .memoryNodes(0, 0)
                .computeNodes(1, 1)
                .threadsPerNode(1)
                .build();
        Fabric fabric = LaneFabric.plain();
        try (Recording recording = new Recording()) {
            recording.enable(SlowOperationEvent.class);
            recording.start();
            try (MemoryNode memory = MemoryNode.start(config, 0, fabric)) {
                try (ComputeNode node = ComputeNode.connect(config, 1, fabric);
                        ComputeThread ct = node.openThread(0)) {
                    long block = ct.allocate(64);
                    ct.write(block, 5);
                    LocalBuffer result = ct.allocateLocal(Long.BYTES);
                    ct.sequence()
                            .fetchAndAdd(block, 1, result, 0)
                            .executeAsync()
                            .await();
                    assertThat(result.getLong(0)).isEqualTo(5);
                    assertThat(ct.async().read(block).await()).isEqualTo(6);
                }
                memory.awaitFinished();
            }
        }
    }
}
