// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.MethodNode;

/** The mutants made so far, with numbers, and with names that are independent of other mutants. */
final class MutantList {
    private final List<Mutant> mutants = new ArrayList<>();
    private int sites;

    /** The number of occurrences of each call in each method of the current class. */
    private final Map<String, Integer> ordinals = new HashMap<>();

    private String className = "";
    private Area area = Area.STRUCTURES;

    /** All mutants in the order of their numbers, from 1. */
    List<Mutant> all() {
        return mutants;
    }

    /** Starts a class; later mutants belong to it. */
    void beginClass(String internalName, Area area) {
        this.area = area;
        className = internalName.substring(internalName.lastIndexOf('/') + 1).replace('$', '.');
        ordinals.clear();
    }

    /** Starts a new site; later mutants belong to it. */
    void beginSite() {
        sites++;
    }

    /** Names a place in a method by its kind and the number of such places so far in the method. */
    String place(MethodNode method, String what) {
        String place = className + "." + method.name + ":" + what;
        return place + "-" + ordinals.merge(place, 1, Integer::sum);
    }

    /** The number of the next mutant to be added. */
    int next() {
        return mutants.size() + 1;
    }

    /** Adds a mutant at this site and returns its number. */
    int add(String place, String mistake) {
        Mutant mutant = new Mutant(next(), place + ":" + mistake, sites, area);
        mutants.add(mutant);
        return mutant.number();
    }
}
