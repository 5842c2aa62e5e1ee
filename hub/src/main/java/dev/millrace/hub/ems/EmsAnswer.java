package dev.millrace.hub.ems;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Json;

import java.util.List;

/**
 * What a room answers, before it is wrapped.
 *
 * @param data as JSON
 * @param bare what clients of the reference read instead, without the envelope
 */
public record EmsAnswer(int status, byte[] data, byte[] bare, List<Header> headers) {
    public EmsAnswer {
        headers = List.copyOf(headers);
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
        return new EmsAnswer(status, data, Json.write(reference), headers);
    }

    Answer answer(Envelope envelope, EmsRequest request) {
        Answer answer =
                request.compat()
                        ? Envelope.bare(status, bare)
                        : envelope.success(status, data, request.id());
        return answer.with(headers);
    }
}
