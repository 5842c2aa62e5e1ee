package dev.millrace.hub.ems;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a room answers, before it is wrapped.
 *
 * @param data as JSON
 * @param bare what clients of the reference read instead, without the envelope
 * @param large what is written while it is sent instead of both; empty for most answers
 */
public record EmsAnswer(
        int status, byte[] data, byte[] bare, List<Header> headers, Optional<Large> large) {
    private static final byte[] NOTHING = {};

    public EmsAnswer {
        headers = List.copyOf(headers);
    }

    EmsAnswer(int status, byte[] data, byte[] bare, List<Header> headers) {
        this(status, data, bare, headers, Optional.empty());
    }

    /**
     * Much of something.
     *
     * @param type of a whole body that nothing is wrapped around; empty for JSON that is data
     */
    public record Large(Optional<String> type, Answer.Writer writer) {}

    /** 200 with data that are written as JSON while they are sent. */
    public static EmsAnswer streamed(Answer.Writer data) {
        return new EmsAnswer(
                200, NOTHING, NOTHING, List.of(), Optional.of(new Large(Optional.empty(), data)));
    }

    /** 200 with a body of another type than JSON, without an envelope. */
    public static EmsAnswer file(String type, Answer.Writer body) {
        return new EmsAnswer(
                200, NOTHING, NOTHING, List.of(), Optional.of(new Large(Optional.of(type), body)));
    }

    /** The same with one more header. */
    public EmsAnswer with(String name, String value) {
        List<Header> all = new ArrayList<>(headers);
        all.add(new Header(name, value));
        return new EmsAnswer(status, data, bare, all, large);
    }

    /** 200 with a value. */
    public static EmsAnswer ok(Object data) {
        return of(200, data);
    }

    /** 200 with a part of a list. */
    public static EmsAnswer ok(Paging.Part part) {
        return new EmsAnswer(200, Json.write(part.view()), Json.write(part.items()), List.of());
    }

    /** 201 with what there is now, and where. */
    public static EmsAnswer created(String location, Object data) {
        EmsAnswer answer = of(201, data);
        return new EmsAnswer(
                201, answer.data, answer.bare, List.of(new Header("Location", location)));
    }

    /** 202: it will be done. */
    public static EmsAnswer accepted(Object data) {
        return of(202, data);
    }

    private static EmsAnswer of(int status, Object data) {
        return json(status, Json.write(data));
    }

    /** What is JSON already. */
    public static EmsAnswer json(int status, byte[] json) {
        return new EmsAnswer(status, json, json, List.of());
    }

    /** Clients of the reference read something else. */
    public EmsAnswer orBare(Object reference) {
        return new EmsAnswer(status, data, Json.write(reference), headers, large);
    }

    Answer answer(Envelope envelope, EmsRequest request) {
        if (large.isPresent()) {
            return large(large.get(), envelope, request).with(headers);
        }
        Answer answer =
                request.compat()
                        ? Envelope.bare(status, bare)
                        : envelope.success(status, data, request.id());
        return answer.with(headers);
    }

    private static Answer large(Large large, Envelope envelope, EmsRequest request) {
        return large.type
                .map(type -> Answer.streamed(type, large.writer))
                .orElseGet(
                        () ->
                                request.compat()
                                        ? Answer.streamed(Envelope.TYPE, large.writer)
                                        : envelope.streamed(large.writer, request.id()));
    }
}
