// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.peer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Redis: a command and its reply at a time. No more of the protocol (RESP, version 2) than that, so
 * that a client library's own cost is not measured as Redis's.
 */
public final class RedisConnection {
    private static final int CR = '\r';
    private static final int LF = '\n';
    private static final int INITIAL_BYTES = 128;

    private final InputStream in;
    private final OutputStream out;
    private final ByteArrayOutputStream command = new ByteArrayOutputStream(INITIAL_BYTES);

    RedisConnection(InputStream in, OutputStream out) {
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /**
     * Sends a command and awaits its reply.
     *
     * @return bytes, a number as {@code Long}, a list of replies, or null for no value
     * @throws IOException if Redis refuses the command, or the connection ends
     */
    public @Nullable Object call(byte[]... words) throws IOException {
        command.reset();
        header('*', words.length);
        for (byte[] word : words) {
            header('$', word.length);
            command.write(word);
            endLine();
        }
        out.write(command.toByteArray());
        return reply();
    }

    /** The bytes of a word of a command. */
    public static byte[] word(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void header(char type, int number) throws IOException {
        command.write(type);
        command.write(word(Integer.toString(number)));
        endLine();
    }

    private void endLine() {
        command.write(CR);
        command.write(LF);
    }

    private @Nullable Object reply() throws IOException {
        int type = in.read();
        String line = line();
        return switch (type) {
            case '+' -> word(line);
            case ':' -> Long.valueOf(line);
            case '$' -> bytes(Integer.parseInt(line));
            case '*' -> list(Integer.parseInt(line));
            case '-' -> throw new IOException("Redis: " + line);
            default -> throw new EOFException("Redis has closed the connection");
        };
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c != CR && c >= 0; c = in.read()) {
            text.append((char) c);
        }
        in.read(); // the line feed
        return text.toString();
    }

    private byte @Nullable [] bytes(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        in.skipNBytes(2);
        return bytes;
    }

    private @Nullable List<@Nullable Object> list(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> all = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            all.add(reply());
        }
        return all;
    }
}
