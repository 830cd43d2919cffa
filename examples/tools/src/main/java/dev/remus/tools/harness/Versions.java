package dev.remus.tools.harness;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Writes the versions of the software that ran an experiment, as part of every result. */
public final class Versions {
    private Versions() {}

    /** Adds a field {@code versions} to the current object. */
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
