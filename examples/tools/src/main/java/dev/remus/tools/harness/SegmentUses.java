// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.harness;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.node.SegmentUse;
import java.io.IOException;
import java.util.List;

/** Writes how full the segments are, as part of every result. */
public final class SegmentUses {
    private SegmentUses() {}

    /** Adds a field {@code segments} to the current object: a list with an object for each segment. */
    public static void writeTo(JsonGenerator json, List<SegmentUse> segments) throws IOException {
        json.writeArrayFieldStart("segments");
        for (SegmentUse segment : segments) {
            json.writeStartObject();
            json.writeNumberField("memory_node", segment.memoryNode());
            json.writeNumberField("segment", segment.segment());
            json.writeNumberField("used", segment.used());
            json.writeNumberField("bytes", segment.bytes());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
