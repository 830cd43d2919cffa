package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.remus.memory.RdmaPtr;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class RootTest {
    @ParameterizedTest
    @EnumSource
    void everybodyFindsWhatOneThreadHasSetAndWrittenBefore(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(2, 2, 2).build(), ct -> {
            assertThat(ct.getRoot().isNull()).isTrue();
            ct.barrier();
            if (ct.id() == 3) {
                long block = ct.allocate(64);
                for (int i = 0; i < 8; i++) {
                    ct.post(block + 8L * i, 100 + i);
                }
                ct.setRoot(new RdmaPtr<>(block));
            }
            while (ct.getRoot().isNull()) {
                ct.pause();
            }
            long block = ct.getRoot().raw();
            for (int i = 0; i < 8; i++) {
                assertThat(ct.read(block + 8L * i)).isEqualTo(100 + i);
            }
            ct.barrier();
            if (ct.id() == 1) {
                ct.setRoot(RdmaPtr.nullPointer());
            }
            ct.barrier();
            assertThat(ct.getRoot().isNull()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThatAreSetAtTheSameTimeOneStays(FabricKind kind) throws Exception {
        kind.run(TestCluster.config(1, 2, 3).build(), ct -> {
            long block = RdmaPtr.raw(0, 0, 64 + 64L * ct.id());
            for (int i = 0; i < 20; i++) {
                ct.setRoot(new RdmaPtr<>(block));
                assertThat(RdmaPtr.offset(ct.getRoot().raw())).isBetween(64L, 64L + 64 * 5);
            }
            ct.barrier();
            long mine = ct.getRoot().raw();
            ct.barrier();
            assertThat(ct.getRoot().raw()).isEqualTo(mine);
        });
    }
}
