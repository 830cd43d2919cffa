package dev.remus.tools.mutants;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.MethodNode;

/** The mutants that were made so far: their names, which do not change when others come or go, and their numbers. */
final class MutantList {
    private final List<Mutant> mutants = new ArrayList<>();
    private int sites;

    /** For the class that is being mutated, how often each call of each method was seen. */
    private final Map<String, Integer> ordinals = new HashMap<>();

    private String className = "";

    /** In order of their numbers, from 1. */
    List<Mutant> all() {
        return mutants;
    }

    /** What follows is in that class. */
    void beginClass(String internalName) {
        className = internalName.substring(internalName.lastIndexOf('/') + 1).replace('$', '.');
        ordinals.clear();
    }

    /** What follows is at another site than what was before. */
    void beginSite() {
        sites++;
    }

    /** Names a place of a method, by what happens there and how often that was seen in this method. */
    String place(MethodNode method, String what) {
        String place = className + "." + method.name + ":" + what;
        return place + "-" + ordinals.merge(place, 1, Integer::sum);
    }

    /** The number of the next that is added. */
    int next() {
        return mutants.size() + 1;
    }

    /** Adds a mutant of this site and returns its number. */
    int add(String place, String mistake) {
        Mutant mutant = new Mutant(next(), place + ":" + mistake, sites);
        mutants.add(mutant);
        return mutant.number();
    }
}
