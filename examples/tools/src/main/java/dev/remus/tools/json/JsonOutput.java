// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Generators of JSON in UTF-8, with line breaks for human readers. */
public final class JsonOutput {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonOutput() {}

    /** A generator that creates or replaces a file; closing it closes the file. */
    public static JsonGenerator toFile(Path file) throws IOException {
        return pretty(FACTORY.createGenerator(Files.newOutputStream(file), JsonEncoding.UTF8));
    }

    /** A generator that prints to a stream, which stays open when the generator is closed. */
    public static JsonGenerator to(PrintStream out) throws IOException {
        return pretty(FACTORY.createGenerator(out, JsonEncoding.UTF8).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET));
    }

    /** A generator that writes all on one line, without a line feed at its end. */
    public static JsonGenerator onOneLine(Writer out) throws IOException {
        return FACTORY.createGenerator(out);
    }

    private static JsonGenerator pretty(JsonGenerator json) {
        json.setPrettyPrinter(new DefaultPrettyPrinter());
        return json;
    }
}
