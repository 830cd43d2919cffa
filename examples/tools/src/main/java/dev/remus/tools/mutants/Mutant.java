// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.mutants;

/**
 * One planted mistake at one site.
 *
 * @param number its number in {@link Switch}, from 1
 * @param name {@code Class.method:call-n:mistake}, where n counts such calls in the method from 1; stable across builds
 *     while the method is unchanged
 * @param site the number of its site, from 1
 * @param area where it is planted
 */
record Mutant(int number, String name, int site, Area area) {
    @Override
    public String toString() {
        return name;
    }
}
