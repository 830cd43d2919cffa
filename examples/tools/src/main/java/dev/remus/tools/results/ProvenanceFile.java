// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.results;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.remus.tools.json.JsonInput;
import dev.remus.tools.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file {@value #NAME} in a folder of results, with the {@link Provenance} of the results as a JSON object. A folder
 * may come from somebody else: anything unexpected in the file is refused with the reason.
 */
public final class ProvenanceFile {
    /** The name of the file. */
    public static final String NAME = "provenance.json";

    private static final String FORMAT = "1";

    /** More is no record of ours, and is not read. */
    private static final long MAX_BYTES = 1 << 20;

    private static final String INTEGER = "-?(0|[1-9][0-9]{0,18})";
    private static final String OPTION = "--[a-z][a-z0-9-]*";

    private final Path file;
    private final Map<String, Object> fields;

    private ProvenanceFile(Path file, Map<String, Object> fields) {
        this.file = file;
        this.fields = fields;
    }

    /** Writes the file at the end of a measurement, with the load of the machine at that moment. */
    public static void write(Provenance provenance, Path folder) throws IOException {
        try (JsonGenerator json = JsonOutput.toFile(folder.resolve(NAME))) {
            json.writeStartObject();
            json.writeNumberField("format", Integer.parseInt(FORMAT));
            json.writeStringField("started", provenance.started().toString());
            write("command", provenance.command(), json);
            write("seeds", provenance.seeds(), json);
            write("java_options", provenance.javaOptions(), json);
            write("software", provenance.software(), json);
            write("machine", provenance.machine(), json);
            write("environment", provenance.environment(), json);
            json.writeStringField("load_at_end", Machine.load().orElse(""));
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void write(String name, List<String> words, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String word : words) {
            json.writeString(word);
        }
        json.writeEndArray();
    }

    private static void write(String name, Map<String, String> values, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> value : values.entrySet()) {
            json.writeFieldName(value.getKey());
            if (value.getValue().matches(INTEGER)) {
                json.writeNumber(value.getValue());
            } else {
                json.writeString(value.getValue());
            }
        }
        json.writeEndObject();
    }

    /**
     * Reads the file of a folder.
     *
     * @throws IOException if there is none, it cannot be read or it is damaged; the message names the file
     */
    public static Provenance read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (Files.size(file) > MAX_BYTES) {
            throw damaged(file, "it has more than " + MAX_BYTES + " bytes");
        }
        try {
            return new ProvenanceFile(file, JsonInput.read(file)).toProvenance();
        } catch (JsonProcessingException e) {
            throw damaged(file, e.getOriginalMessage());
        }
    }

    private Provenance toProvenance() throws IOException {
        String format = text("format");
        if (!format.equals(FORMAT)) {
            throw new IOException(file + " has the format " + format + ", but this version of Remus reads " + FORMAT);
        }
        List<String> command = list("command");
        if (command.isEmpty()) {
            throw damaged(file, "'command' is empty");
        }
        Map<String, String> seeds = map("seeds");
        for (Map.Entry<String, String> seed : seeds.entrySet()) {
            if (!seed.getKey().matches(OPTION) || !seed.getValue().matches(INTEGER)) {
                throw damaged(file, "'seeds' is not a list of options with integers");
            }
        }
        return new Provenance(
                started(),
                command,
                seeds,
                list("java_options"),
                map("software"),
                map("machine"),
                map("environment"),
                text("load_at_end"));
    }

    private Instant started() throws IOException {
        try {
            return Instant.parse(text("started"));
        } catch (DateTimeException e) {
            throw damaged(file, "'started' is not a time");
        }
    }

    private String text(String name) throws IOException {
        return text(name, fields.get(name));
    }

    private String text(String name, @Nullable Object value) throws IOException {
        if (value == null) {
            throw damaged(file, "'" + name + "' is missing");
        }
        if (!(value instanceof String text) || text.indexOf('\0') >= 0) {
            throw damaged(file, "'" + name + "' is not a text");
        }
        return text;
    }

    private List<String> list(String name) throws IOException {
        if (!(fields.get(name) instanceof List<?> items)) {
            throw damaged(file, "'" + name + "' is not a list");
        }
        List<String> texts = new ArrayList<>();
        for (Object item : items) {
            texts.add(text(name, item));
        }
        return texts;
    }

    private Map<String, String> map(String name) throws IOException {
        if (!(fields.get(name) instanceof Map<?, ?> items)) {
            throw damaged(file, "'" + name + "' is not an object");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> item : items.entrySet()) {
            texts.put(String.valueOf(item.getKey()), text(name, item.getValue()));
        }
        return texts;
    }

    private static IOException damaged(Path file, String reason) {
        return new IOException(file + " is damaged: " + reason);
    }
}
