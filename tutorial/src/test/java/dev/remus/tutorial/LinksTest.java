// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link in the project's pages leads to a file or a heading that exists. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("", ".github", "framework", "structures", "examples", "cloudlab", "tutorial")) {
            try (Stream<Path> files = Files.list(Tree.ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theTargetsOfAPagesLinksExist(Path page) throws IOException {
        for (MatchResult match : LINK.matcher(prose(page)).results().toList()) {
            String link = match.group(1);
            if (link.startsWith("https://")) {
                continue;
            }
            int hash = link.indexOf('#');
            String file = hash < 0 ? link : link.substring(0, hash);
            Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
            assertThat(target).as("%s links to %s", page, link).exists().startsWith(Tree.ROOT);
            if (hash >= 0) {
                assertThat(anchors(target)).as("%s links to %s", page, link).contains(link.substring(hash + 1));
            }
        }
    }

    /** The page without its blocks. */
    private static String prose(Path page) throws IOException {
        return Files.readString(page).replaceAll("(?ms)^```.*?^```$", "");
    }

    /** The anchors of its headings, as Markdown viewers make them. */
    private static Set<String> anchors(Path page) throws IOException {
        return prose(page)
                .lines()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
