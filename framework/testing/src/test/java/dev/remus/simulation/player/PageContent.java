// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The recording in a page, as the page's script reads it. */
public final class PageContent {
    private static final String START = "<script type=\"application/json\" id=\"recording\">";

    private final Map<?, ?> recording;

    /** Reads the recording of a page. */
    public PageContent(String page) throws IOException {
        String rest = page.substring(page.indexOf(START) + START.length());
        try (JsonParser json = new JsonFactory().createParser(rest.substring(0, rest.indexOf("</script>")))) {
            json.nextToken();
            recording = (Map<?, ?>) value(json);
        }
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        switch (json.currentToken()) {
            case START_OBJECT:
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    fields.put(name, value(json));
                }
                return fields;
            case START_ARRAY:
                List<@Nullable Object> elements = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(json));
                }
                return elements;
            case VALUE_NUMBER_INT:
                return json.getLongValue();
            case VALUE_TRUE:
                return true;
            case VALUE_FALSE:
                return false;
            case VALUE_NULL:
                return null;
            default:
                return json.getText();
        }
    }

    /** A text at the top of the page. */
    public String text(String name) {
        return String.valueOf(recording.get(name));
    }

    /** The number of the moment of the violation; -1 if there is none. */
    public int violation() {
        return ((Long) recording.get("violation")).intValue();
    }

    /** A table of the recording, such as the words by their pointers. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> table(String name) {
        return (Map<String, Object>) recording.get(name);
    }

    /** The fields of all records. */
    @SuppressWarnings("unchecked")
    public List<Map<String, Object>> boxes() {
        return (List<Map<String, Object>>) recording.get("boxes");
    }

    /** The events of a moment, each a list that begins with its kind. */
    @SuppressWarnings("unchecked")
    public List<List<Object>> events(int moment) {
        List<Map<String, Object>> moments = (List<Map<String, Object>>) recording.get("moments");
        return (List<List<Object>>) moments.get(moment).get("events");
    }

    /** The events of all moments. */
    public List<List<Object>> events() {
        List<List<Object>> all = new ArrayList<>();
        for (int i = 0; i < ((List<?>) recording.get("moments")).size(); i++) {
            all.addAll(events(i));
        }
        return all;
    }

    /** The events of a kind. */
    public List<List<Object>> events(String kind) {
        return events().stream().filter(event -> event.get(0).equals(kind)).toList();
    }
}
