// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.Chain;
import dev.remus.fabric.Completions;
import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.Lane;
import dev.remus.fabric.Link;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;

/** A fabric with a mistake: a thread that polls a lane does not ring its doorbell. */
final class SilentDoorbell {
    private SilentDoorbell() {}

    /** The fabric with the mistake. */
    static Fabric in(Fabric fabric) {
        return replace(
                Fabric.class,
                fabric,
                (name, result) -> result instanceof ComputeEndpoint compute
                        ? replace(
                                ComputeEndpoint.class,
                                compute,
                                (call, made) -> made instanceof Link link ? mute(link) : made)
                        : result);
    }

    private static Link mute(Link link) {
        Map<Lane, Lane> lanes = new IdentityHashMap<>();
        return replace(
                Link.class,
                link,
                (name, result) -> result instanceof Lane lane ? lanes.computeIfAbsent(lane, MuteLane::new) : result);
    }

    /** Replaces results of an interface, given the name of the method. */
    private static <T> T replace(Class<T> type, T original, BiFunction<String, Object, Object> results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) ->
                        results.apply(method.getName(), unwrapped(() -> method.invoke(original, args)))));
    }

    private static Object unwrapped(Callable<Object> call) throws Exception {
        try {
            return call.call();
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static final class MuteLane implements Lane {
        private final Lane lane;
        private boolean waits;

        MuteLane(Lane lane) {
            this.lane = lane;
        }

        @Override
        public int depth() {
            return lane.depth();
        }

        @Override
        public boolean tryPost(Chain chain) {
            waits = false;
            return lane.tryPost(chain);
        }

        @Override
        public boolean tryPostMore(Chain chain) {
            waits = true;
            return lane.tryPostMore(chain);
        }

        @Override
        public void start() {
            waits = false;
            lane.start();
        }

        @Override
        public int poll(Completions into) {
            return waits ? into.clear().size() : lane.poll(into);
        }

        @Override
        public boolean isBroken() {
            return lane.isBroken();
        }

        @Override
        public void reconnect() {
            lane.reconnect();
        }

        @Override
        public String toString() {
            return lane.toString();
        }
    }
}
