package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.commit.Place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Turns parts of keys into the commands that make them. For one thread. */
final class RestoreWriter {
    private final RestoreBatch batch;

    RestoreWriter(RestoreBatch batch) {
        this.batch = batch;
    }

    /** The name under which a key lies in Redis. */
    static byte[] full(Place place, byte[] key) {
        if (place.prefix().isEmpty()) {
            return key;
        }
        byte[] prefix = text(place.prefix());
        byte[] full = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, full, prefix.length, key.length);
        return full;
    }

    void put(Place place, Part part) {
        byte[] key = full(place, part.key());
        switch (part.body()) {
            case Body.Text(byte[] bytes) -> batch.write(place, List.of(text("SET"), key, bytes));
            case Body.Items(long from, List<byte[]> items) -> several(place, "RPUSH", key, items);
            case Body.Members(List<byte[]> members) -> several(place, "SADD", key, members);
            case Body.Fields(List<byte[]> flat) -> several(place, "HSET", key, flat);
            case Body.Scores(List<Body.Scored> members) -> {
                List<byte[]> flat = new ArrayList<>();
                for (Body.Scored each : members) {
                    flat.add(score(each.score()));
                    flat.add(each.member());
                }
                several(place, "ZADD", key, flat);
            }
            case Body.Entries(List<Body.StreamEntry> entries) -> {
                for (Body.StreamEntry entry : entries) {
                    List<byte[]> command = command("XADD", key);
                    command.add(text(entry.id().toString()));
                    command.addAll(entry.flat());
                    batch.write(place, command);
                }
            }
            case Body.StreamState state -> state(place, key, state);
        }
        if (part.expires()) {
            batch.write(place, List.of(text("PEXPIREAT"), key, number(part.expireAt())));
        }
    }

    static byte[] score(double score) {
        return text(Double.isInfinite(score) ? (score > 0 ? "inf" : "-inf") : "" + score);
    }

    private void several(Place place, String verb, byte[] key, List<byte[]> words) {
        if (!words.isEmpty()) {
            List<byte[]> command = command(verb, key);
            command.addAll(words);
            batch.write(place, command);
        }
    }

    private static List<byte[]> command(String verb, byte[] key) {
        List<byte[]> command = new ArrayList<>();
        command.add(text(verb));
        command.add(key);
        return command;
    }

    private void state(Place place, byte[] key, Body.StreamState state) {
        // Makes the stream if it has no entry.
        words(place, "XGROUP CREATE", key, text("millrace"), text("0"), text("MKSTREAM"));
        words(place, "XGROUP DESTROY", key, text("millrace"));
        words(
                place,
                "XSETID",
                key,
                text(state.last().toString()),
                text("ENTRIESADDED"),
                number(state.entriesAdded()),
                text("MAXDELETEDID"),
                text(state.maxDeleted().toString()));
        for (Body.StreamGroup group : state.groups()) {
            words(
                    place,
                    "XGROUP CREATE",
                    key,
                    group.name(),
                    text(group.last().toString()),
                    text("ENTRIESREAD"),
                    number(group.entriesRead()));
            for (byte[] consumer : group.consumers()) {
                words(place, "XGROUP CREATECONSUMER", key, group.name(), consumer);
            }
            for (Body.Pending each : group.pending()) {
                words(
                        place,
                        "XCLAIM",
                        key,
                        group.name(),
                        group.consumers().get(each.consumer()),
                        text("0"),
                        text(each.id().toString()),
                        text("TIME"),
                        number(each.deliveredAt()),
                        text("RETRYCOUNT"),
                        number(each.deliveries()),
                        text("FORCE"),
                        text("JUSTID"));
            }
        }
    }

    private void words(Place place, String verb, byte[] key, byte[]... more) {
        List<byte[]> command = new ArrayList<>();
        for (String word : verb.split(" ", -1)) {
            command.add(text(word));
        }
        command.add(key);
        command.addAll(List.of(more));
        batch.write(place, command);
    }
}
