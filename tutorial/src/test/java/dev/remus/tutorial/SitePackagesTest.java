// SPDX-License-Identifier: Apache-2.0
package dev.remus.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The lock file lists the website's packages for every platform; npm refuses a lock file that lacks one. */
class SitePackagesTest {
    private static final Pattern OPTIONAL = Pattern.compile("\"optionalDependencies\": \\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("\"([^\"]+)\": \"[^\"]*\"");

    @Test
    void theLockFileHasThePackagesOfAllPlatforms() throws IOException {
        String lock = Files.readString(Tree.ROOT.resolve("tutorial/site/package-lock.json"));
        List<String> names = OPTIONAL.matcher(lock)
                .results()
                .flatMap(block -> NAME.matcher(block.group(1)).results())
                .map((MatchResult name) -> name.group(1))
                .distinct()
                .toList();
        assertThat(names).isNotEmpty().allSatisfy(name -> assertThat(lock).contains("node_modules/" + name + "\": {"));
    }
}
