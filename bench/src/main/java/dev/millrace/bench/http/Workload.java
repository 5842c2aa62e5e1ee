package dev.millrace.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.bench.commit.Event;
import dev.millrace.keyspace.commit.Shards;

import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayOutputStream;

/** What is asked of every server, and what the answer must be. */
enum Workload {
    EMPTY("Empty GET: 204 without a body", "GET", "/empty", 204),
    ECHO("JSON echo: an event is read into a record and written again", "POST", "/echo", 200),
    COMMIT(
            "POST with one commit: an event is stored, with four index entries; the answer is its"
                    + " id",
            "POST",
            "/event",
            201);

    /** How long an id is: the answer to a commit. */
    private static final int ID = 36;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final String about;
    private final String method;
    private final String path;
    private final int status;

    Workload(String about, String method, String path, int status) {
        this.about = about;
        this.method = method;
        this.path = path;
        this.status = status;
    }

    String about() {
        return about;
    }

    String path() {
        return path;
    }

    int status() {
        return status;
    }

    /** An event as a gateway sends it, of one of many devices: about 430 bytes of JSON. */
    static byte[] event(int number) {
        String device = "pump-station-" + number;
        Event event = Event.next(device);
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < 18; i++) {
            values.append(values.isEmpty() ? "[" : ", ")
                    .append(10 + (number * 7 + i) % 90)
                    .append(".25");
        }
        Event.Reading reading =
                new Event.Reading("pressure", "Float64Array", values.append(']').toString(), "kPa");
        return MAPPER.writeValueAsBytes(with(event, event.id(), event.created(), reading));
    }

    /** What is stored of an event that has arrived: with an id and a time of ours. */
    static Event arrived(Event event) {
        return with(
                event, Shards.mint(event.device()), System.currentTimeMillis(), event.reading());
    }

    private static Event with(Event event, String id, long now, Event.Reading reading) {
        return new Event(
                id,
                event.device(),
                event.profile(),
                event.source(),
                now,
                now,
                event.origin(),
                now + 5,
                reading);
    }

    /** The whole request, as it goes over the wire. */
    byte[] request(String prefix, byte[] body) {
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(prefix).append(path).append(" HTTP/1.1\r\n");
        head.append("Host: 127.0.0.1\r\nAccept: */*\r\n");
        if (body.length > 0) {
            head.append("Content-Type: application/json\r\nContent-Length: ");
            head.append(body.length).append("\r\n");
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(US_ASCII));
        request.writeBytes(body);
        return request.toByteArray();
    }

    /** What one connection sends, again and again. */
    byte[] body(int number) {
        return this == EMPTY ? new byte[0] : event(number);
    }

    /** Whether a body of this length can be the answer. */
    boolean fits(int length, byte[] sent) {
        return switch (this) {
            case EMPTY -> length == 0;
            case ECHO -> length == sent.length;
            case COMMIT -> length == ID;
        };
    }
}
