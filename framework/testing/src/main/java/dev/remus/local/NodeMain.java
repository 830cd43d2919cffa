// SPDX-License-Identifier: Apache-2.0
package dev.remus.local;

import dev.remus.config.ClusterConfig;
import dev.remus.node.ComputeNode;
import dev.remus.process.Parent;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The main class of a process of a {@link ProcessCluster}: runs one node, and ends when the parent process ends. */
final class NodeMain {
    private NodeMain() {}

    /** The arguments of {@link #main}. */
    static List<String> arguments(
            ClusterConfig config, int id, Path failure, Class<? extends ComputeNode.Body> body, String... arguments) {
        List<String> settings = LocalConfig.format(config);
        List<String> words = new ArrayList<>(
                List.of(String.valueOf(id), failure.toString(), body.getName(), String.valueOf(settings.size())));
        words.addAll(settings);
        words.addAll(List.of(arguments));
        return words;
    }

    /**
     * Runs the node.
     *
     * @param args those that {@link #arguments} has made
     */
    public static void main(String[] args) {
        Parent.watch(System.in);
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        System.exit(run(args));
    }

    private static int run(String... args) {
        int settings = 4;
        int rest = settings + Integer.parseInt(args[3]);
        try {
            ClusterConfig config = LocalConfig.parse(List.of(args).subList(settings, rest));
            int id = Integer.parseInt(args[0]);
            Class<? extends ComputeNode.Body> type = Class.forName(args[2]).asSubclass(ComputeNode.Body.class);
            ComputeNode.Body body = make(type, Arrays.copyOfRange(args, rest, args.length));
            new LocalNode(config, id, body, new CountDownLatch(1)).run();
            return 0;
        } catch (Throwable e) { // of any kind: the parent reports it
            e.printStackTrace();
            report(e, Path.of(args[1]));
            return 1;
        }
    }

    private static void report(Throwable failure, Path file) {
        try {
            NodeFailure.write(failure, file);
        } catch (IOException e) {
            System.err.println("the parent process gets no report: " + e);
        }
    }

    /**
     * Makes a body with its constructor for arguments, or the one without.
     *
     * @throws IllegalArgumentException if it has neither, or it cannot be called
     */
    static ComputeNode.Body make(Class<? extends ComputeNode.Body> type, String... arguments) throws Exception {
        try {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                Class<?>[] parameters = constructor.getParameterTypes();
                if (parameters.length == 1 && parameters[0] == String[].class) {
                    constructor.setAccessible(true);
                    return (ComputeNode.Body) constructor.newInstance((Object) arguments);
                }
            }
            if (arguments.length > 0) {
                throw new IllegalArgumentException(
                        type.getName() + " gets arguments, and needs a constructor with one parameter String...");
            }
            Constructor<? extends ComputeNode.Body> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    type.getName() + " needs a constructor without parameters or with one parameter String..., and"
                            + " must be static if it is declared in another class",
                    e);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    type.getName() + " cannot be made: its module needs \"opens " + type.getPackageName()
                            + " to dev.remus.testing\"",
                    e);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
