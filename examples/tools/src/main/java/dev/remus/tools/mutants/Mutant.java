package dev.remus.tools.mutants;

/**
 * One mistake at one place.
 *
 * @param number by which {@link Switch} knows it, from 1
 * @param name the same in every build, as long as the method stays as it is: {@code Class.method:call-n:mistake}, where n
 *     counts such calls in the method, from 1
 * @param site the number of the place, from 1
 */
record Mutant(int number, String name, int site) {
    @Override
    public String toString() {
        return name;
    }
}
