package dev.remus.tools.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Loads a copy of the structures, of the nodes and records they stand on and of the scenarios, in which the classes under test are
 * mutated. The classes that everybody else uses stay as they are, and so does everything below the fabric contract.
 */
final class MutantLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** What is loaded again: what is mutated, and all that refers to it. */
    private static final List<String> COPIED = List.of(
            "dev.remus.node.",
            "dev.remus.record.",
            "dev.remus.lock.",
            "dev.remus.structures.",
            "dev.remus.simulation.SimulatedCluster",
            "dev.remus.simulation.scenario.",
            "dev.remus.tools.scenarios.",
            "dev.remus.tools.mutants.Substitutes");

    private final ClassMutator mutator;
    private final Predicate<String> isUnderTest;

    /**
     * @param isUnderTest by the name of a class, whether it is to be mutated
     * @param mutator makes the mutants
     */
    MutantLoader(Predicate<String> isUnderTest, ClassMutator mutator) {
        super("mutants", MutantLoader.class.getClassLoader());
        this.isUnderTest = isUnderTest;
        this.mutator = mutator;
    }

    /** Loads classes now and in this order, so that their mutants have the same numbers each time. */
    List<Class<?>> load(List<String> names) throws ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        for (String name : names) {
            classes.add(loadClass(name));
        }
        return classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (COPIED.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] code = read(name);
        if (isUnderTest.test(name)) {
            code = mutator.mutate(code);
        }
        return defineClass(name, code, 0, code.length);
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
