// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import dev.remus.config.ClusterConfig;
import dev.remus.fabric.Chain;
import dev.remus.fabric.Completions;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Environment;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.FabricException;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import dev.remus.fabric.MemoryEndpoint;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** A fabric whose lanes can be cut. Then an attempt to connect one takes long, and fails. Nodes exchange heartbeats. */
final class SlowDialFabric implements Fabric {
    private static final long STEP_NANOS = 50_000_000;

    private final Fabric fabric;
    private final long dialNanos;
    private final Map<String, SlowLane> lanes = new HashMap<>();
    private int attempts;
    private int dialling;

    /** @param dialNanos how long an attempt to connect takes */
    SlowDialFabric(Fabric fabric, long dialNanos) {
        this.fabric = fabric;
        this.dialNanos = dialNanos;
    }

    /** Breaks a lane, which cannot be connected as long as it is cut. */
    void cut(int computeNode, int memoryNode, int lane, boolean isCut) {
        lanes.get(computeNode + "/" + memoryNode + "/" + lane).cut = isCut;
    }

    /** How many attempts have begun. */
    int attempts() {
        return attempts;
    }

    /** How many attempts are under way. */
    int dialling() {
        return dialling;
    }

    @Override
    public String name() {
        return fabric.name();
    }

    @Override
    public boolean exchangesHeartbeats() {
        return true;
    }

    @Override
    public Environment environment() {
        return fabric.environment();
    }

    @Override
    public MemoryEndpoint openMemory(ClusterConfig config, int node) {
        return fabric.openMemory(config, node);
    }

    @Override
    public ComputeEndpoint openCompute(ClusterConfig config, int node) {
        return replace(ComputeEndpoint.class, fabric.openCompute(config, node), (call, result) -> switch (call) {
            case "connect" -> slow(node, (Link) result);
            case "close", "abandon" -> closed(node, result);
            default -> result;
        });
    }

    private Link slow(int node, Link link) {
        SlowLane[] slow = new SlowLane[link.lanes()];
        for (int i = 0; i < slow.length; i++) {
            slow[i] = new SlowLane(link.lane(i), link);
            lanes.put(node + "/" + link.memoryNode() + "/" + i, slow[i]);
        }
        int[] next = {0};
        return replace(Link.class, link, (call, result) -> switch (call) {
            case "waitsToReconnect" -> true;
            case "lane" -> slow[next[0]++ % slow.length]; // which are asked for in their order
            default -> result;
        });
    }

    private Object closed(int node, Object result) {
        lanes.forEach((name, lane) -> lane.closed |= name.startsWith(node + "/"));
        return result;
    }

    /** Replaces results of an interface, given the name of the method. */
    private static <T> T replace(Class<T> type, T original, BiFunction<String, Object, Object> results) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            try {
                return results.apply(method.getName(), method.invoke(original, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private final class SlowLane implements Lane {
        private final Lane lane;
        private final Link link;
        private boolean cut;
        private volatile boolean closed;

        SlowLane(Lane lane, Link link) {
            this.lane = lane;
            this.link = link;
        }

        @Override
        public int depth() {
            return lane.depth();
        }

        @Override
        public boolean tryPost(Chain chain) {
            return lane.tryPost(chain);
        }

        @Override
        public int poll(Completions into) {
            return lane.poll(into);
        }

        @Override
        public boolean isBroken() {
            return cut || lane.isBroken();
        }

        @Override
        public void reconnect() {
            attempts++;
            dialling++;
            try {
                long end = environment().nanoTime() + dialNanos;
                while (cut && !closed && !link.isLost() && environment().nanoTime() < end) {
                    environment().sleep(STEP_NANOS);
                }
            } finally {
                dialling--;
            }
            if (cut) {
                throw new FabricException(this + ": no answer");
            }
            lane.reconnect();
        }

        @Override
        public String toString() {
            return lane.toString();
        }
    }
}
