package dev.remus.tools.harness;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** What ran an experiment: part of every result, so that it can be done again. */
public final class Versions {
    private Versions() {}

    /** Writes a field {@code versions} into the object that is being written. */
    public static void writeTo(JsonGenerator json) throws IOException {
        String remus = Versions.class.getPackage().getImplementationVersion();
        json.writeObjectFieldStart("versions");
        json.writeStringField("remus", remus == null ? "not packaged" : remus);
        json.writeStringField("java", Runtime.version().toString());
        json.writeStringField("java_vm", System.getProperty("java.vm.name"));
        json.writeStringField("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        json.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
        json.writeEndObject();
    }
}
