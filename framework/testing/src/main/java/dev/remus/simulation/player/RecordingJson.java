// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes a recording as JSON, for the script of the page. Pointers and values are hexadecimal strings, because
 * JavaScript's numbers have 53 bits.
 */
final class RecordingJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Recording recording;
    private final MemoryMap memory;
    private final SeenValues seen;
    private final List<Box> boxes;
    private final JsonGenerator json;

    private RecordingJson(Recording recording, JsonGenerator json) {
        this.recording = recording;
        this.memory = recording.memory();
        this.seen = SeenValues.of(recording);
        memory.follow(seen::of);
        this.boxes = memory.boxes();
        this.json = json;
    }

    /**
     * The recording in JSON.
     *
     * @param violation the number of the moment at which the run went wrong; -1 if it is right
     */
    static String of(Recording recording, Caption caption, long violation) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            new RecordingJson(recording, json).write(caption, violation);
        } catch (IOException e) {
            throw new AssertionError("writes to a string", e);
        }
        return text.toString();
    }

    private void write(Caption caption, long violation) throws IOException {
        json.writeStartObject();
        json.writeStringField("title", caption.title());
        json.writeStringField("replay", caption.replay());
        json.writeStringField("failure", caption.failure());
        json.writeNumberField("dropped", recording.dropped());
        json.writeNumberField("violation", violation < 0 ? -1 : Math.max(0, violation - recording.dropped()));
        json.writeObjectFieldStart("threads");
        for (Map.Entry<String, Integer> thread : recording.threads().entrySet()) {
            json.writeNumberField(thread.getKey(), thread.getValue());
        }
        json.writeEndObject();
        writeBoxes();
        writeWords();
        writeMoments();
        writeSources();
        json.writeEndObject();
    }

    private void writeBoxes() throws IOException {
        json.writeArrayFieldStart("boxes");
        for (Box box : boxes) {
            Optional<Box> parent = memory.parentOf(box);
            json.writeStartObject();
            json.writeStringField("pointer", Long.toHexString(box.pointer()));
            json.writeStringField("place", MemoryMap.place(box.pointer()));
            json.writeStringField("type", box.type());
            json.writeNumberField("parent", parent.map(boxes::indexOf).orElse(-1));
            json.writeStringField(
                    "element", parent.map(p -> p.wordAt(box.pointer())).orElse(""));
            if (box.ring().isPresent()) {
                writeRing(box.pointer(), box.ring().get());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeRing(long pointer, RingShape ring) throws IOException {
        json.writeObjectFieldStart("ring");
        json.writeNumberField("cells", ring.cells());
        json.writeArrayFieldStart("positions");
        for (long offset : ring.positions()) {
            json.writeString(Long.toHexString(pointer + offset));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeWords() throws IOException {
        json.writeObjectFieldStart("words");
        for (Map.Entry<Long, Long> used : memory.used().entrySet()) {
            long word = used.getKey();
            Optional<Box> box = memory.boxOf(word);
            if (box.isPresent() && isGap(box.get(), word)) {
                continue;
            }
            Long first = memory.first().get(word);
            json.writeObjectFieldStart(Long.toHexString(word));
            json.writeNumberField("box", box.map(boxes::indexOf).orElse(-1));
            json.writeStringField("name", box.map(b -> b.wordAt(word)).orElseGet(() -> MemoryMap.nameOutside(word)));
            json.writeStringField("place", MemoryMap.place(word));
            json.writeBooleanField(
                    "reference", box.map(b -> b.isReferenceAt(word)).orElse(false));
            json.writeNumberField("since", Math.max(0, used.getValue() - recording.dropped()));
            json.writeStringField("first", first == null ? null : Long.toHexString(first));
            if (box.isPresent()) {
                writeMeaning(box.get(), word);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Whether a word lies behind a field, or in an element of an array behind the record that the element is. */
    private boolean isGap(Box box, long word) {
        long element = box.elementAt(word);
        return box.isGapAt(word) || element != word && element != box.pointer() && memory.isRecord(element);
    }

    private void writeMeaning(Box box, long word) throws IOException {
        long cell = box.cellAt(word);
        if (cell >= 0) {
            json.writeNumberField("cell", cell);
        }
        Optional<WordMeaning> meaning = box.meaningAt(word);
        if (meaning.isPresent()) {
            new MeaningJson(meaning.get(), memory, seen, json).write(box, word);
        }
    }

    private void writeMoments() throws IOException {
        json.writeArrayFieldStart("moments");
        for (RecordedMoment moment : recording.moments()) {
            json.writeStartObject();
            json.writeNumberField("step", moment.step());
            json.writeNumberField("nanos", moment.nanos());
            json.writeStringField("agent", moment.agent());
            json.writeArrayFieldStart("events");
            for (Event event : moment.events()) {
                event.write(json);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The text of the lines of source that posted requests or failed, where it is at hand. */
    private void writeSources() throws IOException {
        SourceFiles files = SourceFiles.atHand();
        Map<String, String> texts = new TreeMap<>();
        for (RecordedMoment moment : recording.moments()) {
            for (Event event : moment.events()) {
                if (event instanceof Event.Posted posted) {
                    texts.computeIfAbsent(posted.request().source(), files::text);
                } else if (event instanceof Event.Throw thrown) {
                    texts.computeIfAbsent(thrown.source(), files::text);
                }
            }
        }
        json.writeObjectFieldStart("sources");
        for (Map.Entry<String, String> source : texts.entrySet()) {
            if (!source.getValue().isEmpty()) {
                json.writeStringField(source.getKey(), source.getValue());
            }
        }
        json.writeEndObject();
    }
}
