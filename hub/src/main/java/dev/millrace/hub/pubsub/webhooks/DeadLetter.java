package dev.millrace.hub.pubsub.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.pubsub.channels.Envelope;
import dev.millrace.hub.pubsub.channels.JsonSpans;

import tools.jackson.core.JacksonException;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A message that a webhook did not take. Stored as a line of JSON, and behind it the message as it
 * was stored, whose content is never made into anything.
 *
 * @param fate what happened
 * @param message the message
 */
public record DeadLetter(Fate fate, Envelope message) {

    /**
     * What happened to it.
     *
     * @param webhook its id
     * @param status of the last answer; 0 if there was none
     * @param reason in a sentence
     * @param tries how often it was sent
     * @param at when it was given up, in ms since 1970
     */
    record Fate(String webhook, int status, String reason, int tries, long at) {}

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256 + message.bytes().length);
        out.writeBytes(Json.MAPPER.writeValueAsBytes(fate));
        out.write('\n');
        out.writeBytes(message.bytes());
        return out.toByteArray();
    }

    /** Empty if another version, or somebody else, wrote it. */
    public static Optional<DeadLetter> read(byte[] bytes) {
        int line = 0;
        while (line < bytes.length && bytes[line] != '\n') {
            line++;
        }
        if (line == bytes.length) {
            return Optional.empty();
        }
        byte[] head = Arrays.copyOf(bytes, line);
        try {
            Fate fate = Json.MAPPER.readValue(head, Fate.class);
            return Envelope.read(Arrays.copyOfRange(bytes, line + 1, bytes.length))
                    .map(message -> new DeadLetter(fate, message));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** As admins get it. */
    public void write(ByteArrayOutputStream out) {
        byte[] head = Json.MAPPER.writeValueAsBytes(fate);
        out.write(head, 0, head.length - 1);
        out.writeBytes((",\"messageID\":\"" + message.id() + "\",\"content\":").getBytes(UTF_8));
        JsonSpans.Span content = message.content();
        out.write(message.bytes(), content.from(), content.to() - content.from());
        out.write('}');
    }
}
