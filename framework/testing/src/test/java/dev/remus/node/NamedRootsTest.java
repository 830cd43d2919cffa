// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.remus.memory.RdmaPtr;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class NamedRootsTest {
    @ParameterizedTest
    @EnumSource
    void aNamedRootIsNullUntilItIsSetAndThenFoundByAllThreads(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 2, 2).build(), ct -> {
            assertThat(ct.root("orders").get().isNull()).isTrue();
            ct.barrier();
            long block = ct.allocate(64);
            if (ct.id() == 3) {
                ct.post(block, 77);
                ct.root("orders").set(new RdmaPtr<>(block));
            }
            ct.barrier();
            assertThat(ct.read(ct.root("orders").get().raw())).isEqualTo(77);
        });
    }

    @ParameterizedTest
    @EnumSource
    void eachNameHasARootOfItsOwn(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            String longest = "x".repeat(Roots.MOST_BYTES);
            String[] names = {"a", "b", "ab", "a ", "ä", longest};
            for (int i = 0; i < names.length; i++) {
                ct.root(names[i]).fetchAndAdd(64L * (i + 1));
            }
            ct.root().fetchAndAdd(6400);
            for (int i = 0; i < names.length; i++) {
                assertThat(ct.root(names[i]).get().raw()).as(names[i]).isEqualTo(64L * (i + 1));
            }
            assertThat(ct.root().get().raw()).isEqualTo(6400);
        });
    }

    @ParameterizedTest
    @EnumSource
    void threadsThatAddANameAtTheSameTimeHaveTheSameRoot(FabricKind kind) throws Exception {
        Set<Long> tickets = ConcurrentHashMap.newKeySet();
        kind.run(TestCluster.config(2, 2, 3).build(), ct -> {
            for (int name = 0; name < 8; name++) {
                ct.barrier();
                tickets.add(name << 16 | ct.root("name " + name).fetchAndAdd(1));
            }
        });
        assertThat(tickets).hasSize(8 * 6);
    }

    @ParameterizedTest
    @EnumSource
    void aNameCostsRoundTripsOnlyTheFirstTime(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 2).build(), ct -> {
            if (ct.index() == 0) {
                ct.root("first");
                ct.root("second");
            }
            ct.barrier();
            long before = ct.metrics().roundTrips();
            ct.root("first");
            long others = ct.index() == 0 ? 0 : 3; // the first word, and both names
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(others);
            ct.root("first");
            assertThat(ct.metrics().roundTrips() - before).isEqualTo(others);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aNameThatIsEmptyOrTooLongIsRefused(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 1).build(), ct -> {
            assertThatThrownBy(() -> ct.root("")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ct.root("ä".repeat(Roots.MOST_BYTES / 2) + "x"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("41 bytes in UTF-8, needs 1 to 40");
        });
    }

    @ParameterizedTest
    @EnumSource
    void aNameTooManyIsRefusedAndTheOthersStay(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 1, 2).build(), ct -> {
            for (int name = ct.index(); name < Roots.MOST_NAMES; name += 2) {
                ct.root("name " + name).fetchAndAdd(name);
            }
            ct.barrier();
            assertThatThrownBy(() -> ct.root("one more"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'one more'");
            assertThat(ct.root("name 0").get().raw()).isZero();
            assertThat(ct.root("name 63").get().raw()).isEqualTo(63);
        });
    }
}
