// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Loads a copy of the structures, of the nodes and records below them and of the scenarios, with the classes under test
 * mutated. The originals are unchanged, and so is everything below the fabric contract.
 */
final class MutantLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** Prefixes of copied classes: the mutated ones, and all that refer to them. */
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
     * @param isUnderTest whether the class of a given name is to be mutated
     * @param mutator makes the mutants
     */
    MutantLoader(Predicate<String> isUnderTest, ClassMutator mutator) {
        super("mutants", MutantLoader.class.getClassLoader());
        this.isUnderTest = isUnderTest;
        this.mutator = mutator;
    }

    /** Loads classes eagerly in the given order, so that mutants' numbers are reproducible. */
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
