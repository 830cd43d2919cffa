// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.memory.RdmaPtr;
import java.io.IOException;

/** Writes what a record has declared of a word, worked out for each value that the word has in a recording. */
final class MeaningJson {
    private final WordMeaning meaning;
    private final MemoryMap memory;
    private final SeenValues seen;
    private final JsonGenerator json;

    MeaningJson(WordMeaning meaning, MemoryMap memory, SeenValues seen, JsonGenerator json) {
        this.meaning = meaning;
        this.memory = memory;
        this.seen = seen;
        this.json = json;
    }

    /** Writes the fields of a word in a record. */
    void write(Box box, long word) throws IOException {
        if (meaning.pointer != null) {
            json.writeBooleanField("child", meaning.isChild);
            json.writeObjectFieldStart("targets");
            for (long value : seen.of(word)) {
                long pointer = meaning.pointer.applyAsLong(value);
                if (pointer == RdmaPtr.NULL || memory.isRecord(pointer)) {
                    json.writeStringField(Long.toHexString(value), Long.toHexString(pointer));
                }
            }
            json.writeEndObject();
        }
        if (meaning.text != null) {
            json.writeObjectFieldStart("texts");
            for (long value : seen.of(word)) {
                json.writeStringField(Long.toHexString(value), meaning.text.apply(value));
            }
            json.writeEndObject();
        }
        if (meaning.allows != null) {
            long flag = box.pointer() + meaning.flagOffset;
            json.writeStringField("flag", Long.toHexString(flag));
            json.writeArrayFieldStart("unusedAt");
            for (long value : seen.of(flag)) {
                if (!meaning.allows.test(value)) {
                    json.writeString(Long.toHexString(value));
                }
            }
            json.writeEndArray();
        }
    }
}
