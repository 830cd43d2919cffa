// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import dev.remus.config.Suggestion;
import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.structures.RemoteLongSet;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;

/** A factory for sets of a class that is named at run time. */
final class IntSetClass implements IntSetFactory {
    private final Class<?> type;
    private final Method creator;
    private final Constructor<?> constructor;

    private IntSetClass(Class<?> type, Method creator, Constructor<?> constructor) {
        this.type = type;
        this.creator = creator;
        this.constructor = constructor;
    }

    /**
     * Finds the class of a name and checks it.
     *
     * @param className one of {@link IntSetNames}, or a {@link RemoteLongSet} with a {@code public static RdmaPtr<...>
     *     create(ComputeThread)} and a public constructor that takes that pointer
     * @throws IllegalArgumentException if it lacks one of these, which the message names
     */
    static IntSetFactory named(String className) {
        return of(IntSetNames.className(className), ClassPath.none());
    }

    static IntSetClass of(String name, ClassPath path) {
        Class<?> type = load(name, path);
        if (!RemoteLongSet.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(name + " does not implement " + RemoteLongSet.class.getName());
        }
        if (Modifier.isAbstract(type.getModifiers()) || !Modifier.isPublic(type.getModifiers())) {
            throw new IllegalArgumentException(name + " is not a public class that can be instantiated");
        }
        return new IntSetClass(type, creator(type), constructor(type));
    }

    private static Class<?> load(String name, ClassPath path) {
        try {
            return Class.forName(name, true, path.loader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no class " + name + suggestion(name, path), e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException("the class " + name + " cannot be loaded: " + e, e);
        }
    }

    private static String suggestion(String name, ClassPath path) {
        List<String> known = Stream.concat(IntSetNames.all().stream(), path.classes().stream())
                .toList();
        String near = Suggestion.didYouMean(name, known);
        if (!near.isEmpty()) {
            return near;
        }
        return path.isEmpty()
                ? " in this program; --class-path names the folder or jar file of one of your own"
                : " in that --class-path, nor in this program";
    }

    private static Method creator(Class<?> type) {
        try {
            Method creator = type.getMethod("create", ComputeThread.class);
            if (Modifier.isStatic(creator.getModifiers()) && creator.getReturnType() == RdmaPtr.class) {
                return creator;
            }
        } catch (NoSuchMethodException e) {
            // reported below, as a method of another kind is
        }
        throw new IllegalArgumentException(
                type.getName() + " has no method 'public static RdmaPtr<...> create(ComputeThread)'");
    }

    private static Constructor<?> constructor(Class<?> type) {
        try {
            return type.getConstructor(RdmaPtr.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type.getName() + " has no public constructor that takes an RdmaPtr", e);
        }
    }

    @Override
    public RdmaPtr<?> create(ComputeThread ct) {
        return (RdmaPtr<?>) call(() -> creator.invoke(null, ct));
    }

    @Override
    public RemoteLongSet open(RdmaPtr<?> This) {
        return (RemoteLongSet) call(() -> constructor.newInstance(This));
    }

    @Override
    public String name() {
        return type.getName();
    }

    private interface Reflection {
        Object run() throws ReflectiveOperationException;
    }

    private Object call(Reflection reflection) {
        try {
            return reflection.run();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw new IllegalStateException(type.getName() + " failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " cannot be used: " + e, e);
        }
    }
}
