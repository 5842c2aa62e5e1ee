package dev.millrace.keyspace;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/** The small world in which the engine's tests live: one layout of every sort. */
final class Plant {
    private Plant() {}

    record Event(String id, String device, long created, long pushed) {
        Event withId(String newId) {
            return new Event(newId, device, created, pushed);
        }

        boolean isPushed() {
            return pushed != 0;
        }
    }

    record Reading(String id, String device, String name, long created, String value) {}

    record Notice(String id, String slug, @Nullable String sender, List<String> labels) {}

    record Rule(String rule, String source, String field, double threshold, boolean enabled) {}

    record Alarm(String rule, String status, String value) {}

    record Document(String key, String body) {}

    record Point(
            String channel, String point, double value, @Nullable String unit, @Nullable Long at) {}

    record Tank(String tank, double level) {}

    record Reader(String id, String name, String shift) {}

    record Session(String token, String user) {}

    record Ticket(String ticket, String note) {}

    /** Two kinds under one bare id, as in the first of the five systems. */
    static Layout<Event> events() {
        return Layout.json("{id:id}", Event.class)
                .ownedBy("device")
                .kind("event")
                .sorted("event", 0)
                .sorted("event:created", Event::created)
                .sorted("event:pushed", Event::pushed)
                .when(Event::isPushed)
                .sorted("event:device:{device}", Event::created);
    }

    static Layout<Reading> readings() {
        return Layout.json("{id:id}", Reading.class)
                .ownedBy("device")
                .kind("reading")
                .sorted("reading", 0)
                .sorted("reading:created", Reading::created)
                .sorted("reading:device:{device}", Reading::created)
                .sorted("reading:name:{name}", Reading::created);
    }

    /** A unique field, a set for each label, an optional field. */
    static Layout<Notice> notices() {
        return Layout.json("notice:{id:id}", Notice.class)
                .ownedBy("slug")
                .unique("notice-slug", "slug")
                .sorted("notices", 0)
                .sorted("notice-sender:{sender}", 0)
                .bind("label", Notice::labels)
                .set("notice-label:{label}");
    }

    /** A hash that others may write too. */
    static Layout<Rule> rules() {
        return Layout.hash("alarm:rule:{rule:name}", Rule.class)
                .ownedBySite()
                .foreign()
                .losesTo("alarm:rule:index")
                .set("alarm:rule:index")
                .set("idx:alarm:watch:{source}:{field:name}");
    }

    static Layout<Alarm> alarms() {
        return Layout.hash("alarm:{rule:name}", Alarm.class)
                .ownedByItself()
                .losesTo("alarm:events")
                .indexedBy("status")
                .set("idx:alarm:active")
                .when(alarm -> alarm.status().equals("active"));
    }

    /** Whatever no other layout claims. */
    static Layout<Document> documents() {
        return Layout.json("{key:documentkey}", Document.class)
                .ownedByItself()
                .rest()
                .kind("plant-documents")
                .sorted("plant-documents", 0);
    }

    /** A hash whose entries follow from its key alone, so that put needs no read. */
    static Layout<Point> points() {
        return Layout.hash("point:{channel:name}:{point:name}", Point.class)
                .ownedBy("channel")
                .set("point-index:{channel}");
    }

    /** Scores that are no whole numbers. */
    static Layout<Tank> tanks() {
        return Layout.json("tank:{tank:name}", Tank.class)
                .ownedByItself()
                .sorted("tanks", Tank::level);
    }

    /** Of the site, where a unique field may change without a move. */
    static Layout<Reader> readers() {
        return Layout.json("reader:{id:id}", Reader.class)
                .ownedBySite()
                .unique("reader-name", "name")
                .set("reader-shift:{shift}");
    }

    static Layout<Session> sessions() {
        return Layout.json("session:{token:token}", Session.class)
                .ownedByItself()
                .expires(Duration.ofHours(1));
    }

    /** Carries a hash tag of its own. */
    static Layout<Ticket> tickets() {
        return Layout.json("ticket.{{ticket:tag}}", Ticket.class).ownedByItself();
    }

    static final Layout<Event> EVENTS = events();
    static final Layout<Reading> READINGS = readings();
    static final Layout<Notice> NOTICES = notices();
    static final Layout<Rule> RULES = rules();
    static final Layout<Alarm> ALARMS = alarms();
    static final Layout<Document> DOCUMENTS = documents();
    static final Layout<Point> POINTS = points();
    static final Layout<Tank> TANKS = tanks();
    static final Layout<Reader> READERS = readers();
    static final Layout<Session> SESSIONS = sessions();
    static final Layout<Ticket> TICKETS = tickets();

    static final Cell ALARM_EVENTS = Cell.of(KeyType.LIST, "alarm:events");
    static final Cell VALUES = Cell.of(KeyType.HASH, "values:{channel:name}").ownedBy("channel");
    static final Cell COUNTER = Cell.of(KeyType.STRING, "counter:{name:name}").ownedBy("name");
    static final Cell TAGS = Cell.of(KeyType.SET, "tags:{name:name}").ownedBy("name");
    static final Cell TIMES = Cell.of(KeyType.SORTED_SET, "times:{name:name}").ownedBy("name");
    static final Cell QUEUE = Cell.of(KeyType.LIST, "queue:{name:name}").ownedBy("name");
    static final Cell CLOCK = Cell.of(KeyType.STRING, "c.{{channel:token}}.clock");
    static final Cell INBOX = Cell.of(KeyType.STRING, "c.{{channel:token}}.m.{clock:number}");

    static final Catalogue CATALOGUE =
            Keyspace.catalogue(
                    EVENTS,
                    READINGS,
                    NOTICES,
                    RULES,
                    ALARMS,
                    DOCUMENTS,
                    POINTS,
                    TANKS,
                    READERS,
                    SESSIONS,
                    TICKETS,
                    ALARM_EVENTS,
                    VALUES,
                    COUNTER,
                    TAGS,
                    TIMES,
                    QUEUE,
                    CLOCK,
                    INBOX);
}
