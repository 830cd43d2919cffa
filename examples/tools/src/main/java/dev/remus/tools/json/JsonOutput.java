package dev.remus.tools.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where JSON goes: in UTF-8, and with line breaks, since people look at it too. */
public final class JsonOutput {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonOutput() {}

    /** To a file, which is new or written anew; closing it closes the file. */
    public static JsonGenerator toFile(Path file) throws IOException {
        return pretty(FACTORY.createGenerator(Files.newOutputStream(file), JsonEncoding.UTF8));
    }

    /** To a stream, which stays open when this is closed. */
    public static JsonGenerator to(PrintStream out) throws IOException {
        return pretty(FACTORY.createGenerator(out, JsonEncoding.UTF8).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET));
    }

    private static JsonGenerator pretty(JsonGenerator json) {
        json.setPrettyPrinter(new DefaultPrettyPrinter());
        return json;
    }
}
