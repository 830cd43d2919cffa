// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.scenario;

import dev.remus.fabric.ComputeEndpoint;
import dev.remus.fabric.Fabric;
import dev.remus.fabric.Link;
import dev.remus.fabric.MemoryEndpoint;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** Fabrics whose Memory Nodes make a mistake when they cut off a lost Compute Node. */
enum FlawedFence implements UnaryOperator<Fabric> {
    NONE,
    /** So the others take over too early. */
    ACKNOWLEDGED_BEFORE_IT_IS_UP,
    /** The others only acknowledge it. */
    UP_AT_THE_FIRST_MEMORY_NODE_ONLY,
    /** So the others wait for ever. */
    NEVER_ACKNOWLEDGED,
    /** It reports lost Memory Nodes instead. */
    HIDDEN_FROM_THE_ZOMBIE;

    /** Replaces calls of an interface. */
    private interface Calls {
        Object call(String method, Callable<Object> original) throws Exception;
    }

    private static <T> T replace(Class<T> type, T original, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> calls.call(method.getName(), () -> {
                    try {
                        return method.invoke(original, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof Exception cause ? cause : e;
                    }
                })));
    }

    @Override
    public Fabric apply(Fabric fabric) {
        return replace(Fabric.class, fabric, (method, original) -> {
            Object result = original.call();
            if (result instanceof MemoryEndpoint memory) {
                return replace(
                        MemoryEndpoint.class,
                        memory,
                        (name, call) -> name.equals("fence") ? fence(memory.node(), call) : call.call());
            }
            return result instanceof ComputeEndpoint compute && this == HIDDEN_FROM_THE_ZOMBIE
                    ? replace(ComputeEndpoint.class, compute, (name, call) -> silent(call.call()))
                    : result;
        });
    }

    private Object fence(int memoryNode, Callable<Object> original) throws Exception {
        return switch (this) {
            case NONE, HIDDEN_FROM_THE_ZOMBIE -> original.call();
            case ACKNOWLEDGED_BEFORE_IT_IS_UP -> true;
            case UP_AT_THE_FIRST_MEMORY_NODE_ONLY -> memoryNode != 0 || (boolean) original.call();
            case NEVER_ACKNOWLEDGED -> {
                original.call();
                yield false;
            }
        };
    }

    private static Object silent(Object result) {
        return result instanceof Link link
                ? replace(Link.class, link, (name, call) -> name.equals("isCutOff") ? false : call.call())
                : result;
    }
}
