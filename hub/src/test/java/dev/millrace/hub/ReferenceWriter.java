package dev.millrace.hub;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.RawConnection;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Writes a database as the reference does, with its mistakes: the commands of sections 7.1 and 7.2
 * of the specification, and the weaknesses of 8.3 by their numbers. Knows nothing of our layouts.
 */
final class ReferenceWriter {
    private final RawConnection redis;

    ReferenceWriter(RawConnection redis) {
        this.redis = redis;
    }

    /** An object as it was stored. */
    record Written(String id, Map<String, Object> json) {
        String text(String member) {
            return String.valueOf(json.getOrDefault(member, ""));
        }

        long number(String member) {
            return ((Number) json.getOrDefault(member, 0)).longValue();
        }
    }

    static Map<String, Object> json(Object... members) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            // What is empty is left out, as its marshaller does.
            Object value = members[i + 1];
            if (!value.equals("") && !value.equals(0L) && !value.equals(List.of())) {
                json.put((String) members[i], value);
            }
        }
        return json;
    }

    private void zadd(String key, long score, String member) {
        redis.command("ZADD", key, Long.toString(score), member);
    }

    private Written set(String id, Map<String, Object> json) {
        redis.command("SET", id, Json.MAPPER.writeValueAsString(json));
        return new Written(id, json);
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    // ---------------------------------------------------------------- core data

    /** Seven capitalised members, always all; readings apart, in no order. */
    Written event(
            String id,
            String device,
            long created,
            long pushed,
            String checksum,
            Map<String, Object> more,
            List<Written> readings) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ID", id);
        json.put("Checksum", checksum);
        json.put("Pushed", pushed);
        json.put("Device", device);
        json.put("Created", created);
        json.put("Modified", pushed);
        json.put("Origin", 1590508601358048800L);
        json.putAll(more);
        Written event = set(id, json);
        zadd("event", 0, id);
        zadd("event:created", created, id);
        zadd("event:pushed", pushed, id);
        zadd("event:device:" + device, created, id);
        if (!checksum.isEmpty()) {
            zadd("event:checksum:" + checksum, 0, id);
        }
        readings.forEach(each -> zadd("event:readings:" + id, 0, each.id()));
        return event;
    }

    Written reading(String id, String device, String name, long created, String value) {
        Written reading =
                set(
                        id,
                        json(
                                "id", id, "created", created, "device", device, "name", name,
                                "value", value));
        zadd("reading", 0, id);
        zadd("reading:created", created, id);
        zadd("reading:device:" + device, created, id);
        zadd("reading:name:" + name, created, id);
        return reading;
    }

    Written descriptor(String id, String name, String type, String unit, List<String> labels) {
        Written descriptor =
                set(
                        id,
                        json(
                                "id",
                                id,
                                "created",
                                5L,
                                "name",
                                name,
                                "min",
                                "0",
                                "type",
                                type,
                                "uomLabel",
                                unit,
                                "labels",
                                labels));
        zadd("valueDescriptor", 0, id);
        redis.command("HSET", "valueDescriptor:name", name, id);
        zadd("valueDescriptor:uomlabel:" + unit, 0, id);
        zadd("valueDescriptor:type:" + type, 0, id);
        labels.forEach(label -> zadd("valueDescriptor:label:" + label, 0, id));
        return descriptor;
    }

    /** W6: a reading deleted by itself stays in the list of its event. */
    void deleteReading(Written reading) {
        String id = reading.id();
        redis.command("DEL", id);
        for (String key : keysOfReading(reading)) {
            redis.command("ZREM", key, id);
        }
    }

    private static List<String> keysOfReading(Written reading) {
        return List.of(
                "reading",
                "reading:created",
                "reading:device:" + reading.text("device"),
                "reading:name:" + reading.text("name"));
    }

    /** W10: objects renamed, the worker gave up: all entries stay. */
    void deleteByDeviceAndGiveUp(Written event, List<Written> readings) {
        redis.command("RENAME", event.id(), "gc:event:" + event.id());
        readings.forEach(each -> redis.command("RENAME", each.id(), "gc:reading:" + each.id()));
    }

    /** W6: deleted by device to the end; the list stays, and of the checksum the wrong member. */
    void deleteByDevice(Written event, List<Written> readings) {
        deleteByDeviceAndGiveUp(event, readings);
        redis.command("UNLINK", "gc:event:" + event.id());
        List<String> keys =
                List.of(
                        "event",
                        "event:created",
                        "event:pushed",
                        "event:device:" + event.text("Device"));
        keys.forEach(key -> redis.command("ZREM", key, event.id()));
        redis.command("ZREM", "event:checksum:" + event.text("Checksum"), "0");
        for (Written each : readings) {
            redis.command("UNLINK", "gc:reading:" + each.id());
            keysOfReading(each).forEach(key -> redis.command("ZREM", key, each.id()));
        }
    }

    /** W6: the event goes to another device, its readings do not leave the old one's index. */
    Written changeDevice(Written event, String device, List<Written> readings) {
        redis.command("ZREM", "event:device:" + event.text("Device"), event.id());
        for (Written each : readings) {
            each.json().put("device", device);
            set(each.id(), each.json());
            zadd("reading:device:" + device, each.number("created"), each.id());
        }
        event.json().put("Device", device);
        set(event.id(), event.json());
        zadd("event:device:" + device, event.number("Created"), event.id());
        return event;
    }

    /** W17: what two sorts of queries leave behind; gives the name of one of them. */
    String failedQueries(String member) {
        zadd("desset", 7, member);
        String id = newId();
        zadd(id, 7, member);
        return id;
    }

    // ---------------------------------------------------------------- notifications

    Written notification(String id, String slug, String status, List<String> labels, long created) {
        Written written =
                set(
                        id,
                        json(
                                "created",
                                created,
                                "modified",
                                created,
                                "id",
                                id,
                                "slug",
                                slug,
                                "sender",
                                "edge",
                                "category",
                                "SECURITY",
                                "severity",
                                "CRITICAL",
                                "content",
                                "fire",
                                "status",
                                status,
                                "labels",
                                labels));
        zadd("notification", 0, id);
        redis.command("HSET", "notification:slug", slug, id);
        zadd("notification:sender:edge", 0, id);
        zadd("notification:status:" + status, 0, id);
        zadd("notification:severity:CRITICAL", 0, id);
        zadd("notification:created", created, id);
        zadd("notification:modified", created, id);
        labels.forEach(label -> zadd("notification:label:" + label, 0, id));
        return written;
    }

    Written subscription(String id, String slug, String receiver, List<String> labels) {
        List<String> categories = List.of("SECURITY", "HW_HEALTH");
        Written written =
                set(
                        id,
                        json(
                                "created",
                                3L,
                                "id",
                                id,
                                "slug",
                                slug,
                                "receiver",
                                receiver,
                                "subscribedCategories",
                                categories,
                                "subscribedLabels",
                                labels,
                                "channels",
                                List.of(json("type", "REST", "url", "http://x/"))));
        zadd("subscription", 0, id);
        redis.command("HSET", "subscription:slug", slug, id);
        zadd("subscription:receiver:" + receiver, 0, id);
        labels.forEach(label -> redis.command("SADD", "subscription:label:" + label, id));
        categories.forEach(each -> redis.command("SADD", "subscription:category:" + each, id));
        return written;
    }

    /** Scored by its creation under the slug, and all counts in one key. */
    Written transmission(String id, Written notification, String status, long count, long created) {
        Map<String, Object> json =
                json(
                        "created",
                        created,
                        "modified",
                        created,
                        "id",
                        id,
                        "notification",
                        notification.json(),
                        "receiver",
                        "ops",
                        "channel",
                        json("type", "REST", "url", "http://x/"),
                        "status",
                        status);
        json.put("resendcount", count);
        Written written = set(id, json);
        zadd("transmission", 0, id);
        zadd("transmission:slug:" + notification.text("slug"), created, id);
        zadd("transmission:status:" + status, count, id);
        zadd("transmission:resendcount", count, id);
        zadd("transmission:created", created, id);
        zadd("transmission:modified", created, id);
        return written;
    }

    /** W6: it stays in the index of its slug. */
    void deleteTransmission(Written transmission) {
        String id = transmission.id();
        redis.command("DEL", id);
        for (String key :
                List.of(
                        "transmission",
                        "transmission:status:" + transmission.text("status"),
                        "transmission:resendcount",
                        "transmission:created",
                        "transmission:modified")) {
            redis.command("ZREM", key, id);
        }
        redis.command("ZREM", "transmission:slug:" + id, transmission.text("slug"));
    }

    // ---------------------------------------------------------------- looking

    /** Everything there is, in words. */
    Map<String, Object> dump() {
        Map<String, Object> all = new TreeMap<>();
        for (Object each : list(redis.command("KEYS", "*"))) {
            String key = String.valueOf(each);
            String type = String.valueOf(redis.command("TYPE", key));
            all.put(
                    key,
                    switch (type) {
                        case "string" -> String.valueOf(redis.command("GET", key));
                        case "zset" -> pairs(redis.command("ZRANGE", key, "0", "-1", "WITHSCORES"));
                        case "hash" -> pairs(redis.command("HGETALL", key));
                        case "set" -> new TreeSet<>(list(redis.command("SMEMBERS", key)));
                        default -> type;
                    });
        }
        return all;
    }

    private static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }

    private static Map<String, String> pairs(@Nullable Object reply) {
        List<?> flat = new ArrayList<>(list(reply));
        Map<String, String> pairs = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            pairs.put(String.valueOf(flat.get(i)), String.valueOf(flat.get(i + 1)));
        }
        return pairs;
    }
}
