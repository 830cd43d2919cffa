// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The names under which policies go on the command line and in the records of experiments. */
class OptionNamesTest {
    @Test
    void allocationPoliciesHaveTheNamesOfTheOriginal() {
        assertThat(AllocationPolicy.values())
                .extracting(AllocationPolicy::optionName)
                .containsExactly("RAND", "GLOBAL-RR", "GLOBAL-MOD", "LOCAL-RR", "LOCAL-MOD");
    }

    @Test
    void lanePoliciesHaveTheNamesOfTheOriginal() {
        assertThat(LanePolicy.values())
                .extracting(LanePolicy::optionName)
                .containsExactly("RAND", "RR", "MOD", "ONE_TO_ONE");
    }

    @Test
    void choicesOnNodeLossAreLowerCaseWords() {
        assertThat(OnNodeLoss.values()).extracting(OnNodeLoss::optionName).containsExactly("abort", "continue");
    }

    @Test
    void everyChoicePrintsAsItsOptionName() {
        assertThat(AllocationPolicy.values())
                .allSatisfy(policy -> assertThat(policy).hasToString(policy.optionName()));
        assertThat(LanePolicy.values()).allSatisfy(policy -> assertThat(policy).hasToString(policy.optionName()));
        assertThat(OnNodeLoss.values()).allSatisfy(choice -> assertThat(choice).hasToString(choice.optionName()));
    }

    @Test
    void onlyTheLocalPoliciesAreLocal() {
        assertThat(Arrays.stream(AllocationPolicy.values()).filter(AllocationPolicy::isLocal))
                .containsExactly(AllocationPolicy.LOCAL_RR, AllocationPolicy.LOCAL_MOD);
    }
}
