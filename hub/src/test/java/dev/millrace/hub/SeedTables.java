package dev.millrace.hub;

import dev.millrace.hub.ReferenceWriter.Written;
import dev.millrace.hub.http.Json;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a database must hold for some objects, by the tables of the key description and nothing
 * else: the expectation of the test that takes one over.
 */
final class SeedTables {
    private final Map<String, Object> all = new TreeMap<>();

    Map<String, Object> all() {
        return all;
    }

    @SuppressWarnings("unchecked") // every key has one type, and only its own method puts it there
    void sorted(String key, long score, String member) {
        ((Map<String, String>) all.computeIfAbsent(key, each -> new TreeMap<String, String>()))
                .put(member, Long.toString(score));
    }

    @SuppressWarnings("unchecked") // as above
    private void member(String key, String member) {
        ((Set<Object>) all.computeIfAbsent(key, each -> new TreeSet<Object>())).add(member);
    }

    @SuppressWarnings("unchecked") // as above
    private void field(String key, String field, String id) {
        ((Map<String, String>) all.computeIfAbsent(key, each -> new TreeMap<String, String>()))
                .put(field, id);
    }

    void value(Written written) {
        all.put(written.id(), Json.MAPPER.writeValueAsString(written.json()));
    }

    private static Set<String> texts(Written written, String member) {
        Set<String> texts = new LinkedHashSet<>();
        for (Object each : (List<?>) written.json().getOrDefault(member, List.of())) {
            texts.add(String.valueOf(each));
        }
        texts.remove("");
        return texts;
    }

    /** The score 0 of an event that was not pushed is the reference's, and no drift. */
    void event(Written event, List<Written> readings) {
        value(event);
        String id = event.id();
        long created = event.number("Created");
        sorted("event", 0, id);
        sorted("event:created", created, id);
        sorted("event:pushed", event.number("Pushed"), id);
        if (!event.text("Device").isEmpty()) {
            sorted("event:device:" + event.text("Device"), created, id);
        }
        if (!event.text("Checksum").isEmpty()) {
            sorted("event:checksum:" + event.text("Checksum"), 0, id);
        }
        readings.forEach(each -> sorted("event:readings:" + id, 0, each.id()));
    }

    void reading(Written reading) {
        value(reading);
        String id = reading.id();
        long created = reading.number("created");
        sorted("reading", 0, id);
        sorted("reading:created", created, id);
        if (!reading.text("device").isEmpty()) {
            sorted("reading:device:" + reading.text("device"), created, id);
        }
        if (!reading.text("name").isEmpty()) {
            sorted("reading:name:" + reading.text("name"), created, id);
        }
    }

    void descriptor(Written descriptor) {
        value(descriptor);
        String id = descriptor.id();
        sorted("valueDescriptor", 0, id);
        field("valueDescriptor:name", descriptor.text("name"), id);
        if (!descriptor.text("type").isEmpty()) {
            sorted("valueDescriptor:type:" + descriptor.text("type"), 0, id);
        }
        if (!descriptor.text("uomLabel").isEmpty()) {
            sorted("valueDescriptor:uomlabel:" + descriptor.text("uomLabel"), 0, id);
        }
        texts(descriptor, "labels")
                .forEach(label -> sorted("valueDescriptor:label:" + label, 0, id));
    }

    void notification(Written notification) {
        value(notification);
        String id = notification.id();
        sorted("notification", 0, id);
        field("notification:slug", notification.text("slug"), id);
        sorted("notification:sender:" + notification.text("sender"), 0, id);
        sorted("notification:status:" + notification.text("status"), 0, id);
        sorted("notification:severity:" + notification.text("severity"), 0, id);
        sorted("notification:created", notification.number("created"), id);
        sorted("notification:modified", notification.number("modified"), id);
        texts(notification, "labels")
                .forEach(label -> sorted("notification:label:" + label, 0, id));
    }

    void subscription(Written subscription) {
        value(subscription);
        String id = subscription.id();
        sorted("subscription", 0, id);
        field("subscription:slug", subscription.text("slug"), id);
        if (!subscription.text("receiver").isEmpty()) {
            sorted("subscription:receiver:" + subscription.text("receiver"), 0, id);
        }
        texts(subscription, "subscribedLabels")
                .forEach(label -> member("subscription:label:" + label, id));
        texts(subscription, "subscribedCategories")
                .forEach(category -> member("subscription:category:" + category, id));
    }

    /** Scored by the resend count, and a key for each count. */
    void transmission(Written transmission, String slug) {
        value(transmission);
        String id = transmission.id();
        long count = transmission.number("resendcount");
        sorted("transmission", 0, id);
        sorted("transmission:slug:" + slug, count, id);
        sorted("transmission:status:" + transmission.text("status"), count, id);
        sorted("transmission:resendcount:" + count, count, id);
        sorted("transmission:created", transmission.number("created"), id);
        sorted("transmission:modified", transmission.number("modified"), id);
    }
}
