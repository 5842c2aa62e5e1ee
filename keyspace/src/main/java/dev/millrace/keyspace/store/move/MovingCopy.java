package dev.millrace.keyspace.store.move;

import static dev.millrace.keyspace.redis.Words.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Raw;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The new state of an entity on its way to another shard. As text: {@code from|pointer|old
 * pointer|layout}, a line end, then the value; of a hash the fields, each with its length.
 *
 * @param from the shard it leaves
 * @param pointer where it goes and since when; unlike any other, it names this move
 * @param oldPointer the text of its home pointer before; empty if it had none
 * @param layout the name of its layout
 */
public record MovingCopy(int from, Pointer pointer, String oldPointer, String layout, Raw raw) {

    public byte[] encode() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        copy.writeBytes(
                text(String.join("|", "" + from, pointer.text(), oldPointer, layout) + "\n"));
        switch (raw) {
            case Raw.Text(byte[] bytes) -> copy.writeBytes(bytes);
            case Raw.Fields(var fields) ->
                    fields.entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .forEach(
                                    field -> {
                                        part(copy, field.getKey());
                                        part(copy, field.getValue());
                                    });
        }
        return copy.toByteArray();
    }

    private static void part(ByteArrayOutputStream copy, String part) {
        byte[] bytes = text(part);
        copy.writeBytes(text(bytes.length + ":"));
        copy.writeBytes(bytes);
    }

    /** Takes a copy apart; empty if there is none, or this is none of ours. */
    public static Optional<MovingCopy> decode(@Nullable Object reply, KeyType type) {
        if (!(reply instanceof byte[] copy)) {
            return Optional.empty();
        }
        try {
            int end = 0;
            while (copy[end] != '\n') {
                end++;
            }
            String[] head = new String(copy, 0, end, UTF_8).split("\\|", 4);
            Pointer pointer = Pointer.parse(head[1]);
            int from = Integer.parseInt(head[0]);
            if (pointer.shard() < 0 || from < 0 || from >= Shards.COUNT) {
                return Optional.empty();
            }
            byte[] value = Arrays.copyOfRange(copy, end + 1, copy.length);
            Raw raw = type == KeyType.STRING ? new Raw.Text(value) : new Raw.Fields(fields(value));
            return Optional.of(new MovingCopy(from, pointer, head[2], head[3], raw));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> fields(byte[] value) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int at = 0; at < value.length; ) {
            String[] pair = new String[2];
            for (int i = 0; i < 2; i++) {
                int colon = at;
                while (value[colon] != ':') {
                    colon++;
                }
                int length = Integer.parseInt(new String(value, at, colon - at, UTF_8));
                pair[i] = new String(value, colon + 1, length, UTF_8);
                at = colon + 1 + length;
            }
            fields.put(pair[0], pair[1]);
        }
        return fields;
    }
}
