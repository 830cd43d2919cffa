// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.newproject;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The template files of a new project, with placeholders for names. */
final class Template {
    private static final List<String> SOURCES = List.of("Structure.java", "Benchmark.java", "StructureTest.java");

    /** The file of a project that a template has, by its name in the template's folder. */
    private static final String README = "README.md";

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern CLASS_NAME = Pattern.compile("(?<![@A-Za-z0-9_])[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*");

    /** Remus's own Maven wrapper, which the build copies to these resources. */
    private static final Map<String, String> WRAPPER = Map.of(
            "mvnw", "mvnw",
            "mvnw.cmd", "mvnw.cmd",
            "maven-wrapper.properties", ".mvn/wrapper/maven-wrapper.properties");

    private Template() {}

    /** The names of all classes that the sources of a template use, which the project's own names must avoid. */
    static Set<String> classes(TemplateKind kind) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String source : SOURCES) {
            Matcher word = CLASS_NAME.matcher(
                    COMMENT.matcher(read(kind + "/" + source)).replaceAll(""));
            while (word.find()) {
                names.add(word.group());
            }
        }
        return names;
    }

    /** Writes the project into a folder, and creates the folder if necessary. */
    static void write(TemplateKind kind, ProjectName name, String group, Path folder) throws IOException {
        Path source = Path.of("java", name.packageName().split("\\."));
        Map<String, Path> files = new LinkedHashMap<>();
        files.put("pom.xml", Path.of("pom.xml"));
        files.put("gitignore", Path.of(".gitignore"));
        files.put(kind + "/" + README, Path.of(README));
        files.put(kind + "/Structure.java", Path.of("src/main").resolve(source).resolve(name.className() + ".java"));
        files.put(
                kind + "/Benchmark.java",
                Path.of("src/main").resolve(source).resolve(name.className() + "Benchmark.java"));
        files.put(
                kind + "/StructureTest.java",
                Path.of("src/test").resolve(source).resolve(name.className() + "Test.java"));
        for (Map.Entry<String, Path> file : files.entrySet()) {
            String text = read(file.getKey())
                    .replace("@NAME@", name.name())
                    .replace("@GROUP@", group)
                    .replace("@PACKAGE@", name.packageName())
                    .replace("@CLASS@", name.className());
            put(text, folder.resolve(file.getValue()));
        }
        for (Map.Entry<String, String> file : WRAPPER.entrySet()) {
            put(read(file.getKey()), folder.resolve(file.getValue()));
        }
        if (!folder.resolve("mvnw").toFile().setExecutable(true)) {
            throw new IOException("cannot make " + folder.resolve("mvnw") + " executable");
        }
    }

    private static void put(String text, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
    }

    private static String read(String name) throws IOException {
        try (InputStream in = Template.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("the file " + name + " of the template is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
