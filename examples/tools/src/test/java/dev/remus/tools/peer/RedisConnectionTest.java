// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisConnectionTest {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private Object call(String reply, String... words) throws IOException {
        RedisConnection connection = new RedisConnection(new ByteArrayInputStream(RedisConnection.word(reply)), sent);
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = RedisConnection.word(words[i]);
        }
        return connection.call(bytes);
    }

    @Test
    void aCommandIsAListOfWordsWithTheirLengths() throws IOException {
        call("+OK\r\n", "SET", "key", "");
        assertThat(sent.toString(StandardCharsets.UTF_8)).isEqualTo("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$0\r\n\r\n");
    }

    @Test
    void everyKindOfReplyIsRead() throws IOException {
        assertThat(call("+OK\r\n", "PING")).isEqualTo(RedisConnection.word("OK"));
        assertThat(call(":42\r\n", "DBSIZE")).isEqualTo(42L);
        assertThat(call("$3\r\na\r\n\r\n", "GET")).isEqualTo(RedisConnection.word("a\r\n"));
        assertThat(call("$-1\r\n", "GET")).isNull();
        List<?> list = (List<?>) call("*2\r\n$1\r\n0\r\n*1\r\n:7\r\n", "SCAN");
        assertThat((byte[]) list.get(0)).isEqualTo(RedisConnection.word("0"));
        assertThat(list.get(1)).isEqualTo(List.of(7L));
    }

    @Test
    void aRefusedCommandAndAnEndedConnectionAreErrors() {
        assertThatThrownBy(() -> call("-ERR unknown command\r\n", "NO"))
                .isInstanceOf(IOException.class)
                .hasMessage("Redis: ERR unknown command");
        assertThatThrownBy(() -> call("", "GET"))
                .isInstanceOf(IOException.class)
                .hasMessage("Redis has closed the connection");
    }
}
