// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

/** Takes entries of an ordered map. */
@FunctionalInterface
interface TreeConsumer {
    /** Takes an entry. The key may change when this returns. */
    void accept(TreeKey key, long value);
}
