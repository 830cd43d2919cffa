// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.newproject;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;

/**
 * The names in a new project, derived from its structure's name: {@code my-structure} gives the package {@code
 * mystructure} and the class {@code MyStructure}.
 *
 * @param name lower-case words joined by dashes
 * @param packageName the package, also the Maven group by default
 * @param className the class
 */
record ProjectName(String name, String packageName, String className) {
    private static final String NEEDED =
            "lower-case letters and digits, beginning with a letter, words joined by single dashes";

    /** The suffixes of the project's class names. */
    private static final Set<String> ENDINGS = Set.of("", "Test", "Benchmark");

    /**
     * Derives the names.
     *
     * @param taken the names of classes that the project's files use
     * @throws IllegalArgumentException if a name is invalid in Java or would hide another class
     */
    static ProjectName of(String name, Set<String> taken) {
        if (!name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*")) {
            throw new IllegalArgumentException("got '" + name + "', needs one name: " + NEEDED);
        }
        String packageName = name.replace("-", "");
        String className =
                Arrays.stream(name.split("-")).map(ProjectName::capital).collect(Collectors.joining());
        if (SourceVersion.isKeyword(packageName) || packageName.equals("java")) {
            throw new IllegalArgumentException("got '" + name + "', which cannot name a package: '" + packageName
                    + "' is reserved in Java; try my-" + name);
        }
        for (String ending : ENDINGS) {
            String made = className + ending;
            if (taken.contains(made) || isOfJava(made)) {
                throw new IllegalArgumentException("got '" + name + "', which cannot name a structure: a class " + made
                        + " already exists; try my-" + name);
            }
        }
        return new ProjectName(name, packageName, className);
    }

    /**
     * These names in a group.
     *
     * @param group a Java package
     * @throws IllegalArgumentException if it is not a valid package
     */
    ProjectName in(String group) {
        return new ProjectName(name, inPackage(group).packageName() + "." + packageName, className);
    }

    /**
     * These names in a package of another name.
     *
     * @throws IllegalArgumentException if it is not a valid package
     */
    ProjectName inPackage(String chosen) {
        for (String word : chosen.split("\\.", -1)) {
            if (!word.matches("[a-z][a-z0-9_]*") || SourceVersion.isKeyword(word)) {
                throw new IllegalArgumentException(
                        "a Java package such as org.example; '" + word + "' cannot be part of one");
            }
        }
        if (chosen.equals("java") || chosen.startsWith("java.")) {
            throw new IllegalArgumentException("a package of your own, such as org.example; java is reserved");
        }
        return new ProjectName(name, chosen, className);
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private static boolean isOfJava(String className) {
        try {
            Class.forName("java.lang." + className, false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
