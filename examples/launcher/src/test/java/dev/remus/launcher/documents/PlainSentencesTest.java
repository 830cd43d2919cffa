// SPDX-License-Identifier: Apache-2.0
package dev.remus.launcher.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No sentence in code or documents has a who- or what-clause as its subject and "says", "tells" or "knows" as its verb.
 * No test is named by such a clause.
 */
class PlainSentencesTest {
    private static final List<String> FOLDERS =
            List.of(".ci", ".github", "framework", "structures", "examples", "tutorial", "cloudlab");

    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git");

    private static final Pattern CLUMSY = Pattern.compile(
            "(?i)(who|whoever|whose|what|whatever)\\b.*\\b(say|says|said|tell|tells|told|know|knows|knew)\\b.*");

    private static final Pattern JAVA_PART = Pattern.compile(
            "(?s)\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|/\\*.*?\\*/|(?://[^\n]*\\s*)+");

    private static final Pattern SCRIPT_PART =
            Pattern.compile("(?m)(?:^ *#[^\n]*\n)+|\"(?:[^\"\\\\]|\\\\.)*\"|'[^'\n]*'| # [^\n]*$");

    /** The end of a sentence: its last character, the start of a list item or a tag, or a blank line. */
    private static final Pattern END = Pattern.compile(
            "[.!:;](?=\\s|$|\")|\\n\\s*\\n|\\n *(?:[-*] |\\d+\\. |\\|)|\\||<[^>]*>|@(?:param|throws) \\S+|@\\w+|\\\\n|\"");

    private static final Pattern CLUMSY_TEST = Pattern.compile("void ((?:who|what)(?:ever)?[A-Z]\\w*)\\(");

    /** The sentences of this form in a file. */
    private static List<String> clumsy(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        String name = file.getFileName().toString();
        if (name.endsWith(".java")) {
            return clumsy(JAVA_PART
                    .matcher(text)
                    .results()
                    .map(part -> part.group().replaceAll("(?m)^ *(/?\\*+/?|//) ?|\"\"\"", ""))
                    .map(part -> part.replaceAll("\\{@\\w+ ([^}]*)}", "$1"))
                    .toList());
        }
        if (name.endsWith(".md")) {
            return clumsy(
                    List.of(text.replaceAll("(?ms)^ *```.*?^ *```$", "\n\n").replace('`', ' ')));
        }
        if (name.endsWith(".txt")) {
            return clumsy(List.of(text.replaceAll("(?m)^# ?", "")));
        }
        return clumsy(SCRIPT_PART
                .matcher(text)
                .results()
                .map(part -> part.group().replaceAll("(?m)^ *#+ ?", ""))
                .toList());
    }

    private static List<String> clumsy(List<String> parts) {
        return parts.stream()
                .flatMap(END::splitAsStream)
                .map(sentence -> sentence.replaceAll("\\s+", " ").replaceFirst("^[\\s\"'(*/#]+", ""))
                .filter(sentence ->
                        CLUMSY.matcher(sentence).matches() && !sentence.strip().endsWith("?"))
                .toList();
    }

    private static boolean isRead(Path file) {
        String name = file.getFileName().toString();
        if (name.matches(".*\\.(java|md|txt|sh)")) {
            return !name.equals("PlainSentencesTest.java");
        }
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return !name.contains(".") && lines.findFirst().orElse("").matches("#!.*sh\\b.*");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>(List.of(Document.ROOT.resolve("README.md"), Document.ROOT.resolve("remus")));
        for (String folder : FOLDERS) {
            collect(Document.ROOT.resolve(folder), files);
        }
        return files;
    }

    private static void collect(Path folder, List<Path> files) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                if (Files.isDirectory(entry)
                        && !SKIPPED.contains(entry.getFileName().toString())) {
                    collect(entry, files);
                } else if (Files.isRegularFile(entry) && isRead(entry)) {
                    files.add(entry);
                }
            }
        }
    }

    @Test
    void noSentenceBeginsWithAWhoOrWhatClauseAndEndsInSaysTellsOrKnows() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        for (Path file : files()) {
            List<String> sentences = clumsy(file);
            if (!sentences.isEmpty()) {
                found.put(Document.ROOT.relativize(file).toString(), sentences);
            }
        }
        assertThat(found)
                .as("sentences to rewrite: the thing that acts is the subject")
                .isEmpty();
    }

    @Test
    void noTestNameBeginsWithWhoOrWhat() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            if (file.toString().endsWith("Test.java") || file.toString().contains("ConformanceOf")) {
                CLUMSY_TEST
                        .matcher(Files.readString(file, StandardCharsets.UTF_8))
                        .results()
                        .forEach(name -> found.add(name.group(1)));
            }
        }
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** What a machine lacks for it says {@code doctor}. */",
                "// Runs it. Who waits for a word knows\n    // nothing of it.",
                "String s = \"whoever has it tells \" + x;",
                "/**\n * Fine.\n *\n * @param x what the other knows\n */"
            })
    void suchASentenceIsFound(String code) throws IOException {
        assertThat(clumsyIn(code)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** {@code doctor} reports what a machine lacks. A thread that knows it waits. */",
                "// Who knows?",
                "int whoSays = tell(\"what\") + 1; // knows"
            })
    void otherSentencesAreNot(String code) throws IOException {
        assertThat(clumsyIn(code)).isEmpty();
    }

    private static List<String> clumsyIn(String code) throws IOException {
        Path file = Files.createTempFile("sentence", ".java");
        try {
            return clumsy(Files.writeString(file, code));
        } finally {
            Files.delete(file);
        }
    }
}
