package dev.millrace.hub.live;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One thing that is sent, to however many clients: a fact, a snapshot, or the advice to reload. Its
 * text is made once, in each of the two forms, when the first client needs it.
 *
 * <p>Some frames carry a {@link Mark}: the place behind them. On a single server all do. In a
 * cluster, where a mark has 64 numbers, only every sixteenth and the last that was read together
 * with others; a client is sent whole stretches from mark to mark, so its place is always one that
 * can be named.
 */
final class Frame {
    private enum Kind {
        FACT,
        SNAPSHOT,
        RELOAD
    }

    private static final int NOWHERE = -1;
    private static final byte[] ID = "id: ".getBytes(StandardCharsets.US_ASCII);

    private final Kind kind;
    private final String feed;
    private final byte[] data;
    private final int shard;
    private final long number;
    private final @Nullable String key;
    private final @Nullable Mark mark;
    private byte @Nullable [] event;
    private @Nullable String said;

    private Frame(
            Kind kind,
            String feed,
            byte[] data,
            int shard,
            long number,
            @Nullable String key,
            @Nullable Mark mark) {
        this.kind = kind;
        this.feed = feed;
        this.data = data;
        this.shard = shard;
        this.number = number;
        this.key = key;
        this.mark = mark;
    }

    static Frame fact(
            String feed,
            byte[] json,
            int shard,
            long number,
            @Nullable String key,
            @Nullable Mark mark) {
        return new Frame(Kind.FACT, feed, json, shard, number, key, mark);
    }

    static Frame reload(String feed, String why, Mark mark) {
        byte[] data = Json.MAPPER.writeValueAsBytes(Map.of("feed", feed, "why", why));
        return new Frame(Kind.RELOAD, feed, data, NOWHERE, 0, null, mark);
    }

    static Frame snapshot(String feed, byte[] state, Mark mark) {
        ByteArrayOutputStream data = new ByteArrayOutputStream(state.length + 64);
        data.writeBytes(ascii("{\"feed\":\"" + feed + "\",\"state\":"));
        data.writeBytes(FactText.oneLine(state));
        data.write('}');
        return new Frame(Kind.SNAPSHOT, feed, data.toByteArray(), NOWHERE, 0, null, mark);
    }

    int shard() {
        return shard;
    }

    long number() {
        return number;
    }

    boolean isFact() {
        return kind == Kind.FACT;
    }

    /** Which thing it is about, where only the latest matters. */
    @Nullable String key() {
        return key;
    }

    @Nullable Mark mark() {
        return mark;
    }

    /** About how much memory it takes. */
    int bytes() {
        return 2 * data.length + 256;
    }

    /** As server-sent event, with the line of its id still missing. */
    byte[] event() {
        byte[] made = event;
        if (made == null) {
            String name = kind == Kind.FACT ? feed : word();
            ByteArrayOutputStream out = new ByteArrayOutputStream(data.length + 64);
            out.writeBytes(ascii("event: " + name + "\ndata: "));
            out.writeBytes(data);
            out.write('\n');
            made = out.toByteArray();
            event = made;
        }
        return made;
    }

    /** The line of an id and the end of the event. */
    static void writeEnd(ByteArrayOutputStream out, @Nullable String id) {
        if (id != null) {
            out.writeBytes(ID);
            out.writeBytes(ascii(id));
            out.write('\n');
        }
        out.write('\n');
    }

    /** As message of a WebSocket, with its own mark. */
    String said() {
        String made = said;
        if (made == null) {
            made = said(mark);
            said = made;
        }
        return made;
    }

    /** The same with another mark, or none. */
    String said(@Nullable Mark behind) {
        String cursor = behind == null ? "" : ",\"cursor\":\"" + behind.text() + "\"";
        return "{\"feed\":\"%s\",\"event\":\"%s\"%s,\"data\":".formatted(feed, word(), cursor)
                + new String(data, StandardCharsets.UTF_8)
                + "}";
    }

    private String word() {
        return switch (kind) {
            case FACT -> "fact";
            case SNAPSHOT -> "snapshot";
            case RELOAD -> "reload";
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
