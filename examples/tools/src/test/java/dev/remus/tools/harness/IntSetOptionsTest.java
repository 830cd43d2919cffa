// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import dev.remus.node.ComputeThread;
import dev.remus.options.Arguments;
import dev.remus.options.OptionSet;
import dev.remus.options.RemusOptions;
import dev.remus.options.UsageException;
import dev.remus.structures.LongCachedLazyListSet;
import dev.remus.structures.LongFastLazyListSet;
import dev.remus.structures.LongLazyListSet;
import dev.remus.structures.RemoteLongSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntSetOptionsTest {
    static Arguments parse(String... args) {
        return new OptionSet("test", "A test.")
                .include(RemusOptions.groups())
                .include(IntSetOptions.group())
                .parse(
                        Map.of(
                                "--node-id", "0",
                                "--first-mn-id", "0",
                                "--last-mn-id", "0",
                                "--first-cn-id", "1",
                                "--last-cn-id", "2",
                                "--mn-port", "18515",
                                "--cn-threads", "2"),
                        args);
    }

    @Test
    void theDefaultsAreThoseOfTheCppRemus() {
        IntSetWorkload workload = IntSetOptions.workload(parse("--seed", "3"));
        assertThat(workload)
                .isEqualTo(new IntSetWorkload(
                        RunLength.ofOperations(65_536), 50, 50, 50, new KeyRange(0, 4096), false, 0, 3, true));
        assertThat(IntSetOptions.factory(parse()).name()).isEqualTo(LongLazyListSet.class.getName());
    }

    @Test
    void barriersBetweenOperationsBelongToReclamationAtBarriers() {
        assertThat(IntSetOptions.workload(parse("--reclaim", "barrier")).reclaimEvery())
                .isEqualTo(2048);
        assertThat(IntSetOptions.workload(parse("--reclaim", "barrier", "--reclaim-every", "7"))
                        .reclaimEvery())
                .isEqualTo(7);
        assertThatThrownBy(() -> IntSetOptions.workload(parse("--reclaim-every", "7")))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "test: --reclaim-every: got '7', needs --reclaim barrier: with epochs, no barrier is between"
                                + " two operations");
    }

    @Test
    void aRunEndsAfterTheGivenOperationsTheGivenTimeOrBoth() {
        assertThat(length("--num-ops", "7")).isEqualTo(RunLength.ofOperations(7));
        assertThat(length("--run-time", "2")).isEqualTo(RunLength.ofNanos(2_000_000_000L));
        assertThat(length("--run-time", "0.25", "--num-ops", "7")).isEqualTo(new RunLength(7, 250_000_000));
        assertThat(length("--run-time", "0.25").seconds()).isEqualTo("0.25");
    }

    @Test
    void anInvalidTimeIsRefused() {
        for (String time : List.of("0", "0.0", "-1", "ten", "1e3", "10s", "1000000", "0.0000000001")) {
            assertThatThrownBy(() -> length("--run-time=" + time))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("--run-time: got '" + time + "', needs a number of seconds above 0");
        }
    }

    @Test
    void onOtherFabricsTheDefaultIsATimeAndFewerKeys() {
        IntSetWorkload chosen = IntSetOptions.workload(parse("--fabric", "verbs"));
        assertThat(chosen.length()).isEqualTo(RunLength.ofNanos(10_000_000_000L));
        assertThat(chosen.fitsKeys()).isTrue();
        assertThat(IntSetOptions.workload(parse("--fabric", "verbs", "--key-ub", "9"))
                        .fitsKeys())
                .isFalse();
        IntSetWorkload timed = IntSetOptions.workload(parse("--fabric", "verbs", "--run-time", "3"));
        assertThat(timed.length()).isEqualTo(RunLength.ofNanos(3_000_000_000L));
        assertThat(timed.fitsKeys()).isTrue();
        IntSetWorkload counted = IntSetOptions.workload(parse("--fabric", "verbs", "--num-ops", "65536"));
        assertThat(counted.length()).isEqualTo(RunLength.ofOperations(65_536));
        assertThat(counted.fitsKeys()).isFalse();
    }

    @Test
    void withAnEmulatedLatencyTheDefaultIsATimeAndFewerKeysToo() {
        IntSetWorkload chosen = IntSetOptions.workload(parse("--latency", "soft-roce"));
        assertThat(chosen.length()).isEqualTo(RunLength.ofNanos(10_000_000_000L));
        assertThat(chosen.fitsKeys()).isTrue();
        assertThat(IntSetOptions.workload(parse("--latency", "soft-roce", "--num-ops", "9"))
                        .fitsKeys())
                .isFalse();
        assertThat(IntSetOptions.workload(parse()).fitsKeys()).isFalse();
    }

    private static RunLength length(String... args) {
        return IntSetOptions.workload(parse(args)).length();
    }

    @Test
    void latenciesCanBeSwitchedOffAndTheDefaultHasNoBaseline() {
        assertThat(IntSetOptions.workload(parse("--time-operations", "off")).latency())
                .isFalse();
        assertThat(parse().get(IntSetOptions.BASELINE)).isEqualTo(Baseline.NONE);
        assertThat(parse("--baseline", "heap").get(IntSetOptions.BASELINE)).isEqualTo(Baseline.HEAP);
    }

    @Test
    void ratiosAbove100AreRefusedAndTheMessageNamesBoth() {
        assertThatThrownBy(() -> IntSetOptions.workload(parse("--insert", "60", "--remove", "41")))
                .isInstanceOf(UsageException.class)
                .hasMessage("test: --remove: got '41', needs at most 40, since --insert is 60");
    }

    @Test
    void anEmptyRangeOfKeysIsRefused() {
        assertThatThrownBy(() -> IntSetOptions.workload(parse("--key-lb", "5", "--key-ub", "4")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--key-ub: got '4', needs at least --key-lb, which is 5");
    }

    @Test
    void aPrefillThatCannotFitIsRefused() {
        assertThatThrownBy(() -> IntSetOptions.workload(parse("--key-ub", "1000000")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--prefill: got '50'")
                .hasMessageContaining("500000 of the keys 0 to 1000000")
                .hasMessageContaining("--seg-size");
    }

    @Test
    void negativeKeysAreAccepted() {
        IntSetWorkload workload = IntSetOptions.workload(parse("--key-lb", "-9", "--key-ub", "-2"));
        assertThat(workload.keys()).isEqualTo(new KeyRange(-9, -2));
    }

    @Test
    void anImportersSetIsFoundByItsClassName() {
        assertThat(IntSetOptions.factory(parse("--set", OwnSet.class.getName())).name())
                .isEqualTo(OwnSet.class.getName());
    }

    @Test
    void theSetsThatComeWithTheStructuresHaveShortNames() {
        assertThat(IntSetOptions.factory(parse("--set", "lazy")).name()).isEqualTo(LongLazyListSet.class.getName());
        assertThat(IntSetOptions.factory(parse("--set", "fast")).name()).isEqualTo(LongFastLazyListSet.class.getName());
        assertThat(IntSetOptions.factory(parse("--set", "cached")).name())
                .isEqualTo(LongCachedLazyListSet.class.getName());
    }

    @Test
    void aClassThatIsNotASetOfIntegersIsRefusedWithTheReason() {
        assertRefused("no.such.Set", "there is no class no.such.Set in this program; --class-path names");
        assertRefused(String.class.getName(), "does not implement dev.remus.structures.RemoteLongSet");
        assertRefused("dev.remus.structures.RemoteLongSet", "is not a public class that can be instantiated");
        assertRefused(
                WithoutCreator.class.getName(), "has no method 'public static RdmaPtr<...> create(ComputeThread)'");
        assertRefused(WithoutConstructor.class.getName(), "has no public constructor that takes an RdmaPtr");
    }

    private static void assertRefused(String className, String reason) {
        assertThatThrownBy(() -> IntSetOptions.factory(parse("--set", className)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--set: got '" + className + "'")
                .hasMessageContaining(reason);
    }

    /** A set without its own create method. */
    public abstract static class Base implements RemoteLongSet {
        @Override
        public boolean contains(long key, ComputeThread ct) {
            return false;
        }

        @Override
        public boolean insert(long key, ComputeThread ct) {
            return false;
        }

        @Override
        public boolean remove(long key, ComputeThread ct) {
            return false;
        }

        @Override
        public long checkedSize(ComputeThread ct) {
            return 0;
        }

        @Override
        public void destroy(ComputeThread ct) {}
    }

    /** Lacks the creator. */
    public static final class WithoutCreator extends Base {
        /** Does nothing. */
        public WithoutCreator(RdmaPtr<?> This) {}
    }

    /** Lacks the constructor. */
    public static final class WithoutConstructor extends Base {
        /** Does nothing. */
        public static RdmaPtr<?> create(ComputeThread ct) {
            return RdmaPtr.nullPointer();
        }
    }
}
