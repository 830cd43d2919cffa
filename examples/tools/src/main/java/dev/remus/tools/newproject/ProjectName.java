package dev.remus.tools.newproject;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;

/**
 * The names in a new project, all made from that of its structure: for {@code my-structure} the package {@code mystructure}
 * and the class {@code MyStructure}.
 *
 * @param name lower-case words joined by dashes
 * @param packageName the package, which is the Maven group too unless another is given
 * @param className the class
 */
record ProjectName(String name, String packageName, String className) {
    private static final String NEEDED =
            "lower-case letters and digits, beginning with a letter, words joined by single dashes";

    /** What is put behind the name of the structure, to name a class. */
    private static final Set<String> ENDINGS = Set.of("", "Test", "Benchmark");

    /**
     * Makes the names.
     *
     * @param taken the names of classes that the files of the project use
     * @throws IllegalArgumentException if Java would not take them, or they would hide another class
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
                throw new IllegalArgumentException("got '" + name
                        + "', which cannot name a structure: there is a class " + made + " already; try my-" + name);
            }
        }
        return new ProjectName(name, packageName, className);
    }

    /**
     * The same in a group.
     *
     * @param group a package of Java
     * @throws IllegalArgumentException if it is none
     */
    ProjectName in(String group) {
        for (String word : group.split("\\.", -1)) {
            if (!word.matches("[a-z][a-z0-9_]*") || SourceVersion.isKeyword(word)) {
                throw new IllegalArgumentException(
                        "a package of Java, such as org.example; '" + word + "' cannot be a part of one");
            }
        }
        if (group.equals("java") || group.startsWith("java.")) {
            throw new IllegalArgumentException("a package of yours, such as org.example; java is Java's own");
        }
        return new ProjectName(name, group + "." + packageName, className);
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
