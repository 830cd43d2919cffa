// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.top;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.fabric.LossKind;
import dev.remus.fabric.shm.LocalClusters.Look;
import dev.remus.fabric.shm.LocalClusters.Lost;
import dev.remus.fabric.shm.LocalClusters.Node;
import dev.remus.fabric.shm.LocalClusters.Segment;
import dev.remus.fabric.shm.LocalClusters.State;
import dev.remus.tools.json.JsonInput;
import dev.remus.tools.json.JsonOutput;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The clusters of a machine as one line of JSON. The notice of a node has the lines that it has posted, as text:
 *
 * <pre>
 *   {"clusters": [{
 *     "fabric": "verbs", "name": "demo",
 *     "nodes": [{"id": 1, "role": "compute", "state": "running", "pid": "4711", "notice": {"thread.0": "5 1 0 2 8"}}],
 *     "segments": [{"node": 0, "segment": 0, "used": 4096, "bytes": 1048576}],
 *     "lost": {"node": 2, "kind": "ended"}}]}
 * </pre>
 */
final class SightingJson {
    private static final String MEMORY = "memory";

    private SightingJson() {}

    /** Without a line feed. */
    static String line(List<Sighting> sightings) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JsonOutput.onOneLine(text)) {
            json.writeStartObject();
            json.writeArrayFieldStart("clusters");
            for (Sighting sighting : sightings) {
                write(json, sighting);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Sighting sighting) throws IOException {
        json.writeStartObject();
        json.writeStringField("fabric", sighting.fabric());
        json.writeStringField("name", sighting.look().name());
        json.writeArrayFieldStart("nodes");
        for (Node node : sighting.look().nodes()) {
            json.writeStartObject();
            json.writeNumberField("id", node.id());
            json.writeStringField("role", node.isMemoryNode() ? MEMORY : "compute");
            json.writeStringField("state", node.state().name().toLowerCase(Locale.ROOT));
            json.writeStringField("pid", node.pid());
            json.writeObjectFieldStart("notice");
            for (Map.Entry<String, String> entry : node.notice().entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("segments");
        for (Segment segment : sighting.look().segments()) {
            json.writeStartObject();
            json.writeNumberField("node", segment.memoryNode());
            json.writeNumberField("segment", segment.segment());
            json.writeNumberField("used", segment.used());
            json.writeNumberField("bytes", segment.bytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        Optional<Lost> lost = sighting.look().lost();
        if (lost.isPresent()) {
            json.writeObjectFieldStart("lost");
            json.writeNumberField("node", lost.get().node());
            json.writeStringField("kind", lost.get().kind().toString());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /**
     * Reads such a line.
     *
     * @throws IOException if it is none
     */
    static List<Sighting> read(String line) throws IOException {
        try {
            return objects(JsonInput.parse(line), "clusters").stream()
                    .map(SightingJson::sighting)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IOException("not a line of top --json: " + e.getMessage(), e);
        }
    }

    private static Sighting sighting(Map<String, Object> cluster) {
        List<Node> nodes = new ArrayList<>();
        for (Map<String, Object> node : objects(cluster, "nodes")) {
            Map<String, String> notice = new LinkedHashMap<>();
            object(node, "notice").orElse(Map.of()).forEach((name, value) -> notice.put(name, String.valueOf(value)));
            State state = State.valueOf(text(node, "state").toUpperCase(Locale.ROOT));
            boolean isMemoryNode = text(node, "role").equals(MEMORY);
            nodes.add(new Node(number(node, "id"), isMemoryNode, state, text(node, "pid"), notice));
        }
        List<Segment> segments = objects(cluster, "segments").stream()
                .map(segment -> new Segment(
                        number(segment, "node"),
                        number(segment, "segment"),
                        Long.parseLong(text(segment, "used")),
                        Long.parseLong(text(segment, "bytes"))))
                .toList();
        Optional<Lost> lost = object(cluster, "lost")
                .map(found -> new Lost(
                        number(found, "node"),
                        LossKind.valueOf(
                                text(found, "kind").toUpperCase(Locale.ROOT).replace('-', '_'))));
        return new Sighting(text(cluster, "fabric"), new Look(text(cluster, "name"), nodes, segments, lost));
    }

    private static List<Map<String, Object>> objects(Map<String, Object> of, String name) {
        List<Map<String, Object>> all = new ArrayList<>();
        if (of.get(name) instanceof List<?> items) {
            items.forEach(item -> all.add(object(Map.of(name, item), name).orElseThrow(IllegalArgumentException::new)));
        }
        return all;
    }

    private static Optional<Map<String, Object>> object(Map<String, Object> of, String name) {
        if (!(of.get(name) instanceof Map<?, ?> fields)) {
            return Optional.empty();
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        fields.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return Optional.of(copy);
    }

    private static String text(Map<String, Object> of, String name) {
        return String.valueOf(of.getOrDefault(name, ""));
    }

    private static int number(Map<String, Object> of, String name) {
        return Integer.parseInt(text(of, name));
    }
}
