// SPDX-License-Identifier: Apache-2.0
package dev.remus.cloudlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("processes")
@Tag("programs")
@Tag("any-jdk")
@Timeout(120)
class ProfileTest {
    @Test
    void theProfileAsksForWhatTheSchemaAllows() throws Exception {
        assumeTrue(Shell.has("python3"), "there is no python3; install it");
        Shell.Ended test = Shell.start(
                        Map.of("PYTHONDONTWRITEBYTECODE", "1"), List.of("python3", "src/test/python/profile_test.py"))
                .await();
        assertThat(test.status()).as(test.output()).isZero();
        assertThat(test.output()).contains("Ran 9 tests", "OK");
    }
}
