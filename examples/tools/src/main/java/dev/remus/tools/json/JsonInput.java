// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a small JSON file as maps, lists and strings. Numbers are strings too, as in the file. */
public final class JsonInput {
    private JsonInput() {}

    /**
     * Reads a file whose outermost value is an object.
     *
     * @throws IOException if the file cannot be read, or does not hold an object
     */
    public static Map<String, Object> read(Path file) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException(file + " does not hold a JSON object");
            }
            return object(json);
        } catch (JsonProcessingException e) {
            throw damaged(file, e);
        }
    }

    /**
     * Reads a text that is an object.
     *
     * @throws IOException if it is none
     */
    public static Map<String, Object> parse(String text) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the text is no JSON object");
            }
            return object(json);
        }
    }

    /** The exception for a file that does not hold JSON. */
    public static IOException damaged(Path file, JsonProcessingException cause) {
        return new IOException(file + " is damaged: " + cause.getOriginalMessage(), cause);
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            fields.put(name, value(json, json.nextToken()));
        }
        return fields;
    }

    private static Object value(JsonParser json, JsonToken token) throws IOException {
        if (token == JsonToken.START_OBJECT) {
            return object(json);
        }
        if (token != JsonToken.START_ARRAY) {
            return json.getText();
        }
        List<Object> items = new ArrayList<>();
        for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
            items.add(value(json, next));
        }
        return items;
    }
}
