// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * All commands of {@code ./remus}, including the launcher's, as listed in {@code commands/catalogue.txt}. Help,
 * dispatch and completion are made from this list, here and in the launcher.
 */
final class Catalogue {
    private static final String FOLDER = "commands/";
    private static final String FILE = "catalogue.txt";

    private final List<Entry> entries = new ArrayList<>();
    private final StringBuilder list = new StringBuilder();

    /**
     * A command.
     *
     * @param name the first argument that selects it
     * @param isJava whether {@link Main} runs it; otherwise the launcher does
     * @param measures whether it leaves a folder of results that can be repeated
     */
    record Entry(String name, boolean isJava, boolean measures) {}

    private Catalogue() {}

    static Catalogue read() {
        Catalogue catalogue = new Catalogue();
        resource(FILE)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(catalogue::add);
        return catalogue;
    }

    private void add(String line) {
        if (!line.startsWith(" ")) {
            list.append('\n').append(line).append('\n');
            return;
        }
        String[] words = line.strip().split(" +", 3);
        boolean measures = words[1].equals("measures");
        entries.add(new Entry(words[0], measures || words[1].equals("java"), measures));
        list.append(String.format("  %-13s  %s%n", words[0], words[2]));
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }

    List<String> names() {
        return entries.stream().map(Entry::name).toList();
    }

    /** The commands that leave a folder of results that can be repeated. */
    List<String> measuring() {
        return entries.stream().filter(Entry::measures).map(Entry::name).toList();
    }

    /** The help text of {@code ./remus}. */
    String usage() {
        return "Usage: ./remus COMMAND [ARGUMENT ...]\n" + list + "\n" + resource("environment.txt");
    }

    /** The help text of a command that the launcher runs. */
    static String help(String name) {
        return resource(name + ".txt");
    }

    private static String resource(String name) {
        try (InputStream in = Catalogue.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException(FOLDER + name + " is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
