// SPDX-License-Identifier: Apache-2.0
package dev.remus.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class NodeFiguresTest {
    private final AtomicReference<Map<String, String>> figures = new AtomicReference<>();

    @Test
    void theFirstFigureOfANameIsShownWithItsPresentText() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build()).run(ct -> {
            AtomicReference<String> text = new AtomicReference<>("1");
            NodeFigures.show(ct, "work", text::get);
            NodeFigures.show(ct, "work", () -> "another");
            NodeFigures.show(ct, "more", () -> "2");
            NodeObjects.of(ct, NodeFiguresTest.class, String.class, () -> "no figure");
            text.set("3");
            figures.set(NodeFigures.of(ct.parts.objects));
        });
        assertThat(figures.get()).isEqualTo(Map.of("work", "3", "more", "2"));
    }

    @Test
    void aNameThatCouldEndItsLineIsRefused() throws Exception {
        TestCluster.of(TestCluster.config(1, 1, 1).build())
                .run(ct -> assertThatThrownBy(() -> NodeFigures.show(ct, "a=b\n", () -> ""))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("letters and digits only"));
    }
}
