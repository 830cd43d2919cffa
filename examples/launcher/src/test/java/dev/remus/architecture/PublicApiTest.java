// SPDX-License-Identifier: Apache-2.0
package dev.remus.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.config.ClusterConfig;
import dev.remus.simulation.Schedule;
import dev.remus.structures.LockFreeQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public API of each module that programs import is in its {@code api.txt}, so that a change of it is seen in the
 * diff. {@code -Dapi.update=true} writes the files.
 */
class PublicApiTest {
    private static Stream<Arguments> modules() {
        return Stream.of(
                Arguments.of("framework/core", ClusterConfig.class),
                Arguments.of("framework/testing", Schedule.class),
                Arguments.of("structures/core", LockFreeQueue.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void theApiIsThatOfTheText(String module, Class<?> member) throws Exception {
        Path file = Path.of("../..", module, "api.txt");
        String api = PublicApi.of(member);
        if (Boolean.getBoolean("api.update")) {
            Files.writeString(file, api);
        }
        assertThat(api)
                .as("the API of %s; if the change is wanted, write its text with -Dapi.update=true", module)
                .isEqualTo(Files.readString(file));
    }

    /** The profile {@code api-diff} compares the packages that {@code api.txt} shows. */
    @Test
    void theComparisonOfVersionsLeavesOutThePackagesThatAreNotExportedToAll() throws Exception {
        String profile = Files.readString(Path.of("../../pom.xml"));
        Set<String> left = Pattern.compile("<exclude>(dev\\.remus[a-z.]*)</exclude>")
                .matcher(profile.substring(profile.indexOf("<id>api-diff</id>")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        Set<String> internal = new TreeSet<>();
        for (Object[] module : modules().map(Arguments::get).toList()) {
            internal.addAll(PublicApi.notExported((Class<?>) module[1]));
        }
        assertThat(left).containsExactlyInAnyOrderElementsOf(internal);
    }
}
