// SPDX-License-Identifier: Apache-2.0
package dev.remus.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule rejects invalid configurations, and its message names the setting. */
class ClusterRulesTest {
    private static ClusterConfig.Builder oneNode() {
        return ClusterConfig.builder().memoryNodes(0, 0).computeNodes(0, 0);
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(ClusterConfig.Builder builder, Setting<?> setting) {
        InvalidConfigException refusal = catchThrowableOfType(InvalidConfigException.class, builder::build);
        assertThat(refusal).as("the refusal of %s", setting).isNotNull();
        assertThat(refusal.option()).isEqualTo(setting.option());
        assertThat(refusal.commandLineMessage()).startsWith(setting.option());
        return assertThat(refusal)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s)\\Q" + setting + "\\E(: got '| has no value).*")
                .hasMessageContaining("needs ");
    }

    private static void assertAccepted(ClusterConfig.Builder builder) {
        assertThatCode(builder::build).doesNotThrowAnyException();
    }

    private static Arguments range(
            Setting<?> setting,
            int min,
            int max,
            BiFunction<ClusterConfig.Builder, Integer, ClusterConfig.Builder> setter) {
        return Arguments.of(setting, min, max, setter);
    }

    private static Stream<Arguments> ranges() {
        return Stream.of(
                range(ClusterSettings.MEMORY_PORT, 1, 65535, ClusterConfig.Builder::memoryPort),
                range(ClusterSettings.THREADS_PER_NODE, 1, 4096, ClusterConfig.Builder::threadsPerNode),
                range(ClusterSettings.SEGMENT_SIZE_LOG2, 12, 36, ClusterConfig.Builder::segmentSizeLog2),
                range(ClusterSettings.SEGMENTS_PER_NODE, 1, 64, ClusterConfig.Builder::segmentsPerNode),
                range(ClusterSettings.LANES, 0, 64, ClusterConfig.Builder::lanes),
                range(ClusterSettings.THREAD_BUFFER_LOG2, 12, 30, ClusterConfig.Builder::threadBufferLog2),
                range(ClusterSettings.OPS_PER_THREAD, 1, 1024, ClusterConfig.Builder::opsPerThread),
                range(ClusterSettings.CACHE_RECORDS, 0, 1 << 20, ClusterConfig.Builder::cacheRecords));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ranges")
    void bothEndsOfARangeAreAcceptedAndOneBeyondIsRefused(
            Setting<?> setting,
            int min,
            int max,
            BiFunction<ClusterConfig.Builder, Integer, ClusterConfig.Builder> setter) {
        assertAccepted(setter.apply(oneNode(), min));
        assertAccepted(setter.apply(oneNode(), max));
        String needs = "needs a whole number from " + min + " to " + max;
        assertRefused(setter.apply(oneNode(), min - 1), setting).hasMessageContaining("'" + (min - 1) + "', " + needs);
        assertRefused(setter.apply(oneNode(), max + 1), setting).hasMessageContaining("'" + (max + 1) + "', " + needs);
    }

    @Test
    void coresBoundVirtualThreadsOnly() {
        assertRefused(oneNode().cores(1), ClusterSettings.CORES)
                .hasMessageContaining("needs 0 unless threadKind is virtual");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_20)
    void virtualThreadsAreRefusedBeforeJava21() {
        assertRefused(oneNode().threadKind(ThreadKind.VIRTUAL), ClusterSettings.THREAD_KIND)
                .hasMessageContaining("got 'virtual', needs platform on this Java "
                        + Runtime.version().feature() + ": virtual threads exist from Java 21 on");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsAndTheirCoresAreAcceptedFromJava21On() {
        assertAccepted(oneNode().threadKind(ThreadKind.VIRTUAL));
        assertAccepted(oneNode().threadKind(ThreadKind.VIRTUAL).cores(1024));
        assertRefused(oneNode().threadKind(ThreadKind.VIRTUAL).cores(1025), ClusterSettings.CORES);
    }

    @Test
    void nodeIdsAreFrom0To1023() {
        assertAccepted(ClusterConfig.builder().memoryNodes(0, 1023).computeNodes(0, 1023));
        assertRefused(ClusterConfig.builder().memoryNodes(-1, 0).computeNodes(0, 0), ClusterSettings.FIRST_MEMORY_NODE);
        assertRefused(
                ClusterConfig.builder().memoryNodes(0, 1024).computeNodes(0, 0), ClusterSettings.LAST_MEMORY_NODE);
        assertRefused(
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(-1, 0), ClusterSettings.FIRST_COMPUTE_NODE);
        assertRefused(
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(0, 1024), ClusterSettings.LAST_COMPUTE_NODE);
    }

    @Test
    void rangesOfNodesThatWereNeverSetAreRefused() {
        assertRefused(ClusterConfig.builder().computeNodes(0, 0), ClusterSettings.FIRST_MEMORY_NODE)
                .hasMessage("memoryNodes(first, ...) has no value, needs a whole number from 0 to 1023");
        assertRefused(ClusterConfig.builder().memoryNodes(0, 0), ClusterSettings.FIRST_COMPUTE_NODE)
                .hasMessageContaining("has no value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "sh m"})
    void aFabricWithoutANameIsRefused(String fabric) {
        assertRefused(oneNode().fabric(fabric), ClusterSettings.FABRIC);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".hidden", "a/b", "a b", "..", "é", "a\n"})
    void aClusterNameThatCannotBeAFileNameIsRefused(String name) {
        assertRefused(oneNode().cluster(name), ClusterSettings.CLUSTER);
    }

    @Test
    void aClusterNameHasOneTo64Characters() {
        assertAccepted(oneNode().cluster("a"));
        assertAccepted(oneNode().cluster("-A.z_9" + "x".repeat(58)));
        assertRefused(oneNode().cluster("x".repeat(65)), ClusterSettings.CLUSTER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "node", "node%d%d", "node%s", "node %d", "100%%d", "%d%"})
    void aHostPatternNeedsExactlyOneNodeId(String pattern) {
        assertRefused(oneNode().hostPattern(pattern), ClusterSettings.HOST_PATTERN);
    }

    @Test
    void aHostPatternMayHaveTheNodeIdAnywhere() {
        assertAccepted(oneNode().hostPattern("%d"));
        assertAccepted(oneNode().hostPattern("10.0.0.%d"));
        assertAccepted(oneNode().hostPattern("%d.example.org"));
    }

    @Test
    void theConnectTimeoutIsFromOneSecondToOneHour() {
        assertAccepted(oneNode().lossTimeout(Duration.ofSeconds(1)));
        assertAccepted(oneNode().lossTimeout(Duration.ofMinutes(2)));
        assertRefused(oneNode().lossTimeout(Duration.ofMillis(999)), ClusterSettings.LOSS_TIMEOUT);
        assertRefused(oneNode().lossTimeout(Duration.ofMinutes(2).plusMillis(1)), ClusterSettings.LOSS_TIMEOUT);
        assertAccepted(oneNode().connectTimeout(Duration.ofSeconds(1)));
        assertAccepted(oneNode().connectTimeout(Duration.ofHours(1)));
        assertRefused(oneNode().connectTimeout(Duration.ofMillis(999)), ClusterSettings.CONNECT_TIMEOUT);
        assertRefused(oneNode().connectTimeout(Duration.ofHours(1).plusMillis(1)), ClusterSettings.CONNECT_TIMEOUT);
    }

    @Test
    void aNodeIsNotKilledForASilenceThatIsNothingUnusual() {
        assertAccepted(oneNode().killSilent(Duration.ZERO));
        assertAccepted(oneNode().killSilent(Duration.ofSeconds(3)));
        assertRefused(oneNode().killSilent(Duration.ofSeconds(2)), ClusterSettings.KILL_SILENT);
        assertRefused(oneNode().killSilent(Duration.ofNanos(-1)), ClusterSettings.KILL_SILENT);
        assertRefused(oneNode().killSilent(Duration.ofHours(1).plusMillis(1)), ClusterSettings.KILL_SILENT);
    }

    @Test
    void aNodeComesBackOnlyIfTheOthersGoOnWithoutIt() {
        ClusterConfig.Builder goesOn = oneNode().onNodeLoss(OnNodeLoss.CONTINUE);
        assertAccepted(goesOn.returns(15));
        assertRefused(goesOn.returns(16), ClusterSettings.RETURNS);
        assertRefused(oneNode().returns(1), ClusterSettings.RETURNS).hasMessageContaining("continue");
        ClusterConfig.Builder many = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(1, 128)
                .threadsPerNode(4096)
                .segmentSizeLog2(30)
                .onNodeLoss(OnNodeLoss.CONTINUE);
        assertAccepted(many.returns(1));
        assertRefused(many.returns(2), ClusterSettings.RETURNS).hasMessageContaining("at most 1 with 524288 threads");
    }

    @Test
    void anAllocationWaitsForAnHourAtMost() {
        assertAccepted(oneNode().allocationWait(Duration.ZERO));
        assertAccepted(oneNode().allocationWait(Duration.ofHours(1)));
        assertRefused(oneNode().allocationWait(Duration.ofNanos(-1)), ClusterSettings.ALLOCATION_WAIT);
        assertRefused(oneNode().allocationWait(Duration.ofHours(1).plusMillis(1)), ClusterSettings.ALLOCATION_WAIT);
    }

    @Test
    void aRangeOfNodesDoesNotEndBeforeItBegins() {
        assertRefused(ClusterConfig.builder().memoryNodes(2, 1).computeNodes(2, 2), ClusterSettings.LAST_MEMORY_NODE)
                .hasMessageContaining("memoryNodes(first, ...), which is 2");
        assertRefused(ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 0), ClusterSettings.LAST_COMPUTE_NODE)
                .hasMessageContaining("computeNodes(first, ...), which is 1");
    }

    @Test
    void memoryNodeIdsAreNotAboveComputeNodeIds() {
        assertRefused(ClusterConfig.builder().memoryNodes(1, 2).computeNodes(0, 2), ClusterSettings.FIRST_MEMORY_NODE);
        assertRefused(ClusterConfig.builder().memoryNodes(0, 3).computeNodes(0, 2), ClusterSettings.LAST_MEMORY_NODE);
    }

    @Test
    void theTwoRangesMayTouchOverlapOrBeEqualButLeaveNoGap() {
        assertAccepted(ClusterConfig.builder().memoryNodes(0, 1).computeNodes(2, 3));
        assertAccepted(ClusterConfig.builder().memoryNodes(0, 2).computeNodes(1, 3));
        assertAccepted(ClusterConfig.builder().memoryNodes(7, 8).computeNodes(7, 8));
        assertRefused(ClusterConfig.builder().memoryNodes(0, 1).computeNodes(3, 4), ClusterSettings.FIRST_COMPUTE_NODE)
                .hasMessageContaining("at most 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOCAL_RR", "LOCAL_MOD"})
    void localAllocationNeedsEveryNodeToBeBoth(AllocationPolicy policy) {
        assertAccepted(
                ClusterConfig.builder().memoryNodes(1, 2).computeNodes(1, 2).allocationPolicy(policy));
        assertRefused(
                ClusterConfig.builder().memoryNodes(0, 2).computeNodes(1, 2).allocationPolicy(policy),
                ClusterSettings.ALLOCATION_POLICY);
        assertRefused(
                ClusterConfig.builder().memoryNodes(1, 1).computeNodes(1, 2).allocationPolicy(policy),
                ClusterSettings.ALLOCATION_POLICY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RAND", "GLOBAL_RR", "GLOBAL_MOD"})
    void otherAllocationDoesNotNeedEveryNodeToBeBoth(AllocationPolicy policy) {
        assertAccepted(
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 1).allocationPolicy(policy));
    }

    @Test
    void hostsAreExactlyOnePerNode() {
        ClusterConfig.Builder three = ClusterConfig.builder().memoryNodes(1, 2).computeNodes(2, 3);

        assertAccepted(three.hosts(List.of("a", "b", "c")));
        assertRefused(three.hosts(List.of("a", "b")), ClusterSettings.HOSTS)
                .hasMessageContaining("that is 3 for the ids 1..3");
        assertRefused(three.hosts(List.of("a", "b", "c", "d")), ClusterSettings.HOSTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b"})
    void aHostIsAWord(String host) {
        assertRefused(oneNode().hosts(List.of(host)), ClusterSettings.HOSTS);
    }

    @Test
    void oneLanePerThreadNeedsAsManyLanesAsThreads() {
        assertAccepted(
                oneNode().lanePolicy(LanePolicy.ONE_TO_ONE).threadsPerNode(4).lanes(4));
        assertRefused(
                        oneNode()
                                .lanePolicy(LanePolicy.ONE_TO_ONE)
                                .threadsPerNode(4)
                                .lanes(3),
                        ClusterSettings.LANES)
                .hasMessageContainingAll("threadsPerNode, which is 4", "with lanePolicy ONE_TO_ONE");
        assertAccepted(oneNode().lanePolicy(LanePolicy.MOD).threadsPerNode(4).lanes(3));
        assertAccepted(oneNode().lanePolicy(LanePolicy.ONE_TO_ONE).threadsPerNode(64));
        assertRefused(oneNode().lanePolicy(LanePolicy.ONE_TO_ONE).threadsPerNode(65), ClusterSettings.LANES);
    }

    @Test
    void withoutANumberEachThreadHasALaneUpToTwoForEachProcessor() {
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(oneNode().threadsPerNode(1).build().lanes()).isEqualTo(1);
        assertThat(oneNode().threadsPerNode(1024).build().lanes()).isEqualTo(Math.min(64, 2 * processors));
        assertThat(oneNode()
                        .lanePolicy(LanePolicy.ONE_TO_ONE)
                        .threadsPerNode(64)
                        .build()
                        .lanes())
                .isEqualTo(64);
        assertThat(oneNode().threadsPerNode(1).lanes(7).build().lanes()).isEqualTo(7);
    }

    @Test
    void aClusterHasAtMostAMillionThreads() {
        ClusterConfig.Builder largest = ClusterConfig.builder()
                .memoryNodes(0, 0)
                .computeNodes(0, 1023)
                .segmentSizeLog2(25); // each thread has a word

        assertAccepted(largest.threadsPerNode(1024));
        assertRefused(largest.threadsPerNode(1025), ClusterSettings.THREADS_PER_NODE)
                .hasMessageContaining("at most 1024");
    }

    @Test
    void theWordsOfComputeNodesTakeAtMostHalfOfASegment() {
        // 64 + 160 * 9 + 8 * 10 + 336 is less than half of 4096, and one more is too many.
        assertAccepted(
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 9).segmentSizeLog2(12));
        assertRefused(
                        ClusterConfig.builder()
                                .memoryNodes(0, 0)
                                .computeNodes(1, 10)
                                .segmentSizeLog2(12),
                        ClusterSettings.SEGMENT_SIZE_LOG2)
                .hasMessageContaining("at least 13");
    }

    @Test
    void theSegmentSizeThatTheRefusalAsksForIsAccepted() {
        ClusterConfig.Builder largest =
                ClusterConfig.builder().memoryNodes(0, 0).computeNodes(0, 1023);
        // 64 + 160 * 95 + 8 * 96 + 336 is just below half of 32768.
        ClusterConfig.Builder exact = ClusterConfig.builder().memoryNodes(0, 0).computeNodes(1, 95);

        assertRefused(largest.segmentSizeLog2(18), ClusterSettings.SEGMENT_SIZE_LOG2)
                .hasMessageContaining("at least 19");
        assertAccepted(largest.segmentSizeLog2(19));
        assertRefused(exact.segmentSizeLog2(12), ClusterSettings.SEGMENT_SIZE_LOG2)
                .hasMessageContaining("at least 15");
        assertAccepted(exact.segmentSizeLog2(15));
    }
}
