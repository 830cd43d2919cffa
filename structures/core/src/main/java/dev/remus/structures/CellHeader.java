// SPDX-License-Identifier: Apache-2.0
package dev.remus.structures;

import dev.remus.record.RemoteLong;
import dev.remus.record.RemoteRecord;

/** A view of the two words of a {@link QueueCell} that change: the cell without its item. */
class CellHeader extends RemoteRecord {
    final RemoteLong state = longField();
    final RemoteLong next = longField();
}
