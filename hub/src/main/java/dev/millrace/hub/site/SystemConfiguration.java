package dev.millrace.hub.site;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The settings of the whole site, as texts in one hash. Thread-safe. */
final class SystemConfiguration {
    static final String HEARTBEAT = "heartbeat_interval";
    private static final String ZONE = "timezone";
    private static final Pattern FIELD = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");
    private static final int MOST_FIELDS = 200;
    private static final int LONGEST_TEXT = 1024;

    /** Fields that are whole numbers, with the least and the most. */
    private static final Map<String, List<Long>> NUMBERS =
            Map.of(
                    "retention_days",
                    List.of(1L, 36_500L),
                    HEARTBEAT,
                    List.of(1L, 60L),
                    "max_api_rate",
                    List.of(1L, 1_000_000L));

    private final Keyspace keyspace;
    private final Site site;
    private final InstantSource clock;

    SystemConfiguration(Keyspace keyspace, Site site, InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.clock = clock;
    }

    /** What became of a change. */
    sealed interface Saved {
        record Done(ObjectNode document, List<String> updated) implements Saved {}

        record Not(Refused why) implements Saved {}
    }

    static Cell.Key key() {
        return SiteLayouts.SYSTEM_CONFIGURATION.at();
    }

    /** All fields as they are stored. */
    ObjectNode document() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        new TreeMap<>(keyspace.cells().hash(key()).answer().or(Map.of())).forEach(document::put);
        return document;
    }

    /** How often services say that they run, if it is said here. */
    static Optional<Duration> heartbeat(Map<String, String> fields) {
        String text = fields.getOrDefault(HEARTBEAT, "");
        return text.matches("[1-9]|[1-5][0-9]|60")
                ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
                : Optional.empty();
    }

    /**
     * Sets some fields; null takes one away.
     *
     * @param whole whether those that are not named are taken away
     */
    Saved put(ObjectNode wishes, boolean whole, OptionalLong expected, String user) {
        Map<String, String> wanted = new LinkedHashMap<>();
        List<String> unwanted = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : Stamps.bare(wishes).properties()) {
            if (each.getValue().isNull()) {
                unwanted.add(each.getKey());
                continue;
            }
            Optional<String> mistake = mistake(each.getKey(), each.getValue());
            if (mistake.isPresent()) {
                return new Saved.Not(Refused.of(EmsCode.VALIDATION_ERROR, mistake.get()));
            }
            wanted.put(each.getKey(), each.getValue().asString(""));
        }
        return Attempts.until(() -> attempt(wanted, unwanted, whole, expected, user));
    }

    private Attempts.Try<Saved> attempt(
            Map<String, String> wanted,
            List<String> unwanted,
            boolean whole,
            OptionalLong expected,
            String user) {
        Site.Version version = site.version(keyspace);
        ObjectNode before = document();
        Optional<Refused> stale = Stamps.stale(Optional.of(before), expected);
        if (stale.isPresent()) {
            return Attempts.ended(new Saved.Not(stale.get()));
        }
        ObjectNode after = whole ? Json.MAPPER.createObjectNode() : Stamps.bare(before);
        wanted.forEach(after::put);
        after.remove(unwanted);
        if (after.size() > MOST_FIELDS) {
            return Attempts.ended(
                    new Saved.Not(
                            Refused.of(
                                    EmsCode.VALIDATION_ERROR, "There may be 200 fields at most.")));
        }
        List<String> updated = differing(Stamps.bare(before), after);
        if (updated.isEmpty()) {
            return Attempts.ended(new Saved.Done(before, updated));
        }
        after.put(Stamps.VERSION, Long.toString(version.next()));
        after.put(Stamps.UPDATED, Long.toString(clock.instant().getEpochSecond()));
        Map<String, String> fields = new LinkedHashMap<>();
        after.properties().forEach(each -> fields.put(each.getKey(), each.getValue().asString()));
        List<String> gone = new ArrayList<>(before.propertyNames());
        gone.removeAll(fields.keySet());
        Commit commit = keyspace.commitAtSite();
        commit.setFields(key(), fields).removeFields(key(), gone);
        site.change(
                commit,
                version,
                new Site.Change(key().key(), Optional.of(before), Optional.of(after), user),
                clock.instant());
        return new Attempts.Try<>(commit.run(), new Saved.Done(after, updated));
    }

    private static List<String> differing(ObjectNode before, ObjectNode after) {
        TreeMap<String, Boolean> names = new TreeMap<>();
        before.propertyNames().forEach(each -> names.put(each, true));
        after.propertyNames().forEach(each -> names.put(each, true));
        return names.keySet().stream()
                .filter(each -> !before.path(each).equals(after.path(each)))
                .toList();
    }

    /** What is wrong with a field; empty if nothing is. */
    static Optional<String> mistake(String field, JsonNode value) {
        if (!FIELD.matcher(field).matches()) {
            return Optional.of(
                    "A field has 1 to 64 letters, digits and _ . -, beginning with a letter: %s does not."
                            .formatted(field));
        }
        if (value.isContainer()) {
            return Optional.of(field + " must be a text, a number, true or false.");
        }
        String text = value.asString("");
        if (text.length() > LONGEST_TEXT) {
            return Optional.of(field + " is longer than 1024 characters.");
        }
        List<Long> bounds = NUMBERS.get(field);
        if (bounds != null && !isWithin(text, bounds)) {
            return Optional.of(
                    "%s must be a whole number from %d to %d."
                            .formatted(field, bounds.get(0), bounds.get(1)));
        }
        return field.equals(ZONE) && !isZone(text)
                ? Optional.of("timezone must be one such as Europe/Vienna or UTC.")
                : Optional.empty();
    }

    private static boolean isWithin(String text, List<Long> bounds) {
        return text.matches("[0-9]{1,9}")
                && Long.parseLong(text) >= bounds.get(0)
                && Long.parseLong(text) <= bounds.get(1);
    }

    private static boolean isZone(String text) {
        try {
            return !ZoneId.of(text).getId().isEmpty();
        } catch (DateTimeException e) {
            return false;
        }
    }
}
