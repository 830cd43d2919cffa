// SPDX-License-Identifier: Apache-2.0
package dev.remus.simulation.player;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.remus.fabric.CompletionStatus;
import dev.remus.fabric.sim.PostedRequest;
import java.io.IOException;

/** An event of a run, which the page reads as an array that begins with the kind of the event. */
interface Event {
    /** Writes it as an array. */
    void write(JsonGenerator json) throws IOException;

    /** A thread calls an operation. */
    record Call(int thread, String operation) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            array(json, "call", thread, operation);
        }

        @Override
        public String toString() {
            return "thread " + thread + " calls " + operation;
        }
    }

    /** An operation returns. */
    record Return(int thread, String operation, String result) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            array(json, "return", thread, operation, result);
        }

        @Override
        public String toString() {
            return "thread " + thread + " returns from " + operation + ": " + result;
        }
    }

    /** An operation throws. */
    record Throw(int thread, String operation, String exception, String source) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            array(json, "throw", thread, operation, exception, source);
        }

        @Override
        public String toString() {
            return "thread " + thread + " fails in " + operation + " with " + exception;
        }
    }

    /** A request was posted. */
    record Posted(PostedRequest request) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStartArray();
            json.writeString("post");
            json.writeStartObject();
            json.writeNumberField("id", request.number());
            json.writeStringField("thread", request.thread());
            json.writeStringField("lane", request.lane());
            json.writeStringField("operation", request.operation().toString());
            json.writeStringField("pointer", Long.toHexString(request.pointer()));
            json.writeNumberField("words", request.words());
            json.writeArrayFieldStart("operands");
            for (long operand : request.operands()) {
                json.writeString(Long.toHexString(operand));
            }
            json.writeEndArray();
            json.writeStringField("source", request.source());
            json.writeEndObject();
            json.writeEndArray();
        }
    }

    /** A request has ended. */
    record Ended(long request, CompletionStatus status, long[] values) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeStartArray();
            json.writeString("end");
            json.writeNumber(request);
            json.writeString(status.toString());
            json.writeStartArray();
            for (long value : values) {
                json.writeString(Long.toHexString(value));
            }
            json.writeEndArray();
            json.writeEndArray();
        }
    }

    /** A word of a WRITE is in memory. */
    record Placed(long request) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            array(json, "place", request);
        }
    }

    /** A word has changed. */
    record Changed(long pointer, long before, long after) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            array(json, "change", Long.toHexString(pointer), Long.toHexString(before), Long.toHexString(after));
        }
    }

    /** A fault, a failure or something else. */
    record Noted(String what) implements Event {
        @Override
        public void write(JsonGenerator json) throws IOException {
            array(json, "note", what);
        }
    }

    private static void array(JsonGenerator json, Object... values) throws IOException {
        json.writeStartArray();
        for (Object value : values) {
            json.writePOJO(value);
        }
        json.writeEndArray();
    }
}
