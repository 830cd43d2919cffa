// SPDX-License-Identifier: Apache-2.0
package dev.remus.fabric;

import dev.remus.config.ClusterConfig;

/**
 * For fabrics that live in one JVM: nodes beside those of the test. Killing one withdraws its memory or lets it abandon
 * the cluster. A stopped node is simply not used.
 */
public final class NodesInThisProcess implements OtherNodes {
    private final Fabric fabric;

    /** @param fabric the fabric of the test */
    public NodesInThisProcess(Fabric fabric) {
        this.fabric = fabric;
    }

    @Override
    public OtherNode startMemory(ClusterConfig config, int node) {
        return new Neighbour(new NodeMain("memory", fabric, config, node));
    }

    @Override
    public OtherNode startCompute(ClusterConfig config, int node) {
        return new Neighbour(new NodeMain("compute", fabric, config, node));
    }

    private record Neighbour(NodeMain node) implements OtherNode {
        @Override
        public void finish() {
            node.run("finish");
        }

        @Override
        public void kill() {
            node.die();
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public String ask(String command) {
            return node.run(command.split(" "));
        }

        @Override
        public void close() {
            node.die();
        }
    }
}
