// SPDX-License-Identifier: Apache-2.0
package dev.remus.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.cli.cluster.ProgramRunner;
import dev.remus.options.RemusOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
class ServiceOptionsTest {
    @Test
    void nodesMayDifferInAllOptionsOfTheServiceSoThatTheyAreRestartedWithNewOnesOneByOne() {
        assertThat(RemusOptions.clusterConfig(ServiceOptions.all().parse(ProgramRunner.localDefaults()))
                        .agreed())
                .isEmpty();
    }
}
