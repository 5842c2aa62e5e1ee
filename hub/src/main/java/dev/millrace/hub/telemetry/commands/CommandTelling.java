package dev.millrace.hub.telemetry.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Utf8;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.Topic;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is told of commands: in the list {@code control:events}, in the feed {@code commands}, and
 * of their end in the site's events. Thread-safe.
 */
final class CommandTelling {
    /** For those who listen; a week at most, and a few megabytes. */
    static final Topic TOPIC =
            Topic.named("commands").keeping(Duration.ofDays(7), 8L << 20, 32L << 20);

    static final String GIVEN = "control";
    static final String STARTED = "control_started";
    private static final String COMPLETED = "control_completed";
    private static final String FAILED = "control_failed";
    private static final String CANCELLED = "control_cancelled";

    private static final String EVENT = "control";
    private static final String AUDIT = "audit";
    private static final int MOST_EVENTS = 1000;

    private final Site site;
    private final Feed feed;
    private final InstantSource clock;

    CommandTelling(Keyspace keyspace, Site site, InstantSource clock) {
        this.site = site;
        this.feed = keyspace.feed(TOPIC);
        this.clock = clock;
    }

    /** The type of the event of its end. */
    static String of(Command ended) {
        return ended.is(CommandState.COMPLETED)
                ? COMPLETED
                : ended.error().equals(CommandError.CANCELLED.name()) ? CANCELLED : FAILED;
    }

    /** How it ended, in a few words. */
    static String end(Command ended) {
        if (ended.is(CommandState.COMPLETED)) {
            return ended.actualValue().map(actual -> "completed, is " + actual).orElse("completed");
        }
        return ended.result().isEmpty()
                ? ended.error()
                : "%s: %s".formatted(ended.error(), ended.result());
    }

    /**
     * Tells of a step in its commit.
     *
     * @param whole also where a wrong type would refuse the commit
     */
    void tell(Commit commit, Command after, String type, boolean whole) {
        String channel = Integer.toString(after.channel());
        Map<String, Object> event = event(after, type);
        byte[] text = Json.write(event);
        commit.logIfList(
                        TelemetryLayouts.CONTROL_EVENTS.of(channel),
                        TelemetryLayouts.CONTROL_EVENT_NUMBER.of(channel),
                        "{\"seq\":",
                        "," + new String(text, 1, text.length - 1, UTF_8),
                        MOST_EVENTS)
                .with(feed.fact(text));
        if (whole && after.ended()) {
            site.event(commit, channel, EVENT, event, clock.instant());
        }
    }

    private Map<String, Object> event(Command after, String type) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put("key", CommandWrites.mirror(after).key());
        event.put("point", after.point());
        event.put("value", after.value());
        event.put("timestamp", Long.toString(clock.instant().getEpochSecond()));
        event.put("cmd_id", after.id());
        event.put("channel_id", after.channel());
        event.put("status", after.fields().getOrDefault(Command.STATUS, ""));
        event.put("source", after.source());
        if (!after.error().isEmpty()) {
            event.put("error", after.error());
        }
        after.actualValue().ifPresent(actual -> event.put("actual_value", actual));
        return event;
    }

    /** Who had what changed from what to what, and what became of it, among the site's changes. */
    void audit(Commit commit, Command ended, String who) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "command");
        event.put("id", ended.id());
        event.put("user", who);
        event.put("source", ended.source());
        event.put("action", of(ended).substring(GIVEN.length() + 1));
        event.put("path", "%s:%s".formatted(CommandWrites.mirror(ended).key(), ended.point()));
        String previous = ended.fields().get(Command.PREVIOUS);
        event.put("before", previous == null ? Json.MAPPER.nullNode() : previous);
        event.put("after", ended.value());
        event.put("result", end(ended));
        site.event(commit, Integer.toString(ended.channel()), AUDIT, event, clock.instant());
    }

    /** Tells of an element that is not a command; what is not text is told in base 64. */
    void bury(Commit commit, String channel, String key, byte[] element, String reason) {
        String text =
                Utf8.isText(element)
                        ? new String(element, UTF_8)
                        : "base64:" + Base64.getEncoder().encodeToString(element);
        site.deadLetter(commit, channel, key, text, reason, clock.instant());
    }

    /** A stored time; 0 if it cannot be read. */
    static long second(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
