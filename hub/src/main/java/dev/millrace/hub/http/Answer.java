package dev.millrace.hub.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a handler gives back: a status, headers and a body that is whole or written piece by piece.
 */
public record Answer(int status, List<Header> headers, Body body) {
    private static final Header JSON = new Header("Content-Type", "application/json");

    /** What follows the headers. */
    public sealed interface Body {
        /** Nothing. */
        record None() implements Body {}

        /** All of it. */
        record Whole(byte[] bytes) implements Body {}

        /**
         * Written while it is sent, with the client's pace, by a thread that may block. When it
         * fails half-way the connection is cut, so that nobody takes the part for the whole.
         *
         * @param atOnce whether it is written without waiting for others: then it is not begun
         *     before there is a piece of it, and one that fits into a piece is sent like any other
         */
        record Streamed(Writer writer, boolean atOnce) implements Body {}
    }

    /** Writes a body. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream out) throws IOException;
    }

    private static final Body NONE = new Body.None();

    public Answer {
        headers = List.copyOf(headers);
    }

    public static Answer empty(int status) {
        return new Answer(status, List.of(), NONE);
    }

    /** 200 and a value as JSON. */
    public static Answer json(Object value) {
        return json(200, value);
    }

    public static Answer json(int status, Object value) {
        return new Answer(status, List.of(JSON), new Body.Whole(Json.write(value)));
    }

    public static Answer text(int status, String text) {
        return bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer bytes(int status, String type, byte[] body) {
        return new Answer(status, List.of(new Header("Content-Type", type)), new Body.Whole(body));
    }

    public static Answer streamed(String type, Writer body) {
        return new Answer(
                200, List.of(new Header("Content-Type", type)), new Body.Streamed(body, false));
    }

    /** The same of what is there already, or comes as fast as it can be fetched. */
    public static Answer streamedAtOnce(String type, Writer body) {
        return new Answer(
                200, List.of(new Header("Content-Type", type)), new Body.Streamed(body, true));
    }

    public Answer with(String name, String value) {
        return with(List.of(new Header(name, value)));
    }

    public Answer with(List<Header> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Header> all = new ArrayList<>(headers);
        all.addAll(more);
        return new Answer(status, all, body);
    }
}
