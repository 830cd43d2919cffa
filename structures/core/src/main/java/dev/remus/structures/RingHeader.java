// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/** A view of the part of a {@link Ring} whose size does not depend on the items. */
class RingHeader extends RemoteRecord {
    final RemoteLong kind = longField();
    final RemoteLong blocks = longField();
    final RemoteLong itemBytes = longField();
    final RemoteLong claimed;
    final RemoteLong released;
    final RemoteLong consumer;
    final RemoteLong destroyed;

    RingHeader() {
        startLine();
        claimed = longField();
        startLine();
        released = longField();
        consumer = longField();
        destroyed = longField();
        startLine();
    }
}
