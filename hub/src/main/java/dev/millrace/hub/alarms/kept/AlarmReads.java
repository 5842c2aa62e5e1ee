package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.store.Cells;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked about rules, alarms and events. Thread-safe. */
public final class AlarmReads {
    /** So many events are kept; of a cluster, at every place. */
    public static final int MOST_EVENTS = AlarmWrites.EVENTS_KEPT;

    /** The member of an event that names its list, where there are several. */
    public static final String LOG = "log";

    private final Keyspace keyspace;
    private final Watchlists lists;

    AlarmReads(Keyspace keyspace, Watchlists lists) {
        this.keyspace = keyspace;
        this.lists = lists;
    }

    /** A rule with its alarm, if it ever raised one. */
    public record Both(AlarmRule rule, Terms terms, Alarm alarm) {}

    public Optional<AlarmRule> rule(String id) {
        return isOurs(id) ? lists.rules().get(id).map(Stored::value) : Optional.empty();
    }

    public Optional<Alarm> alarm(String id) {
        return isOurs(id) ? lists.alarms().get(id).map(Stored::value) : Optional.empty();
    }

    /** Those of these that there are. */
    public List<Alarm> alarms(List<String> ids) {
        List<String> ours = ids.stream().distinct().filter(AlarmReads::isOurs).toList();
        return lists.alarms().getMany(ours).stream().map(Stored::value).toList();
    }

    private static boolean isOurs(String id) {
        return !AlarmsLayouts.RESERVED.contains(id)
                && id.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    }

    /** Members of a rule that were submitted and that its hash does not have. */
    public ObjectNode submitted(AlarmRule rule) {
        return submitted(List.of(rule)).getFirst();
    }

    /** The same of some rules, in one trip. */
    public List<ObjectNode> submitted(List<AlarmRule> rules) {
        Cells cells = keyspace.cells();
        List<Cells.Question<String>> asked = new ArrayList<>();
        for (AlarmRule each : rules) {
            asked.add(cells.string(AlarmsLayouts.submitted(each.home(), each.id())));
        }
        return asked.stream().map(each -> object(each.answer().or(""))).toList();
    }

    /** What somebody wrote by hand may be anything. */
    private static ObjectNode object(String json) {
        try {
            if (Json.MAPPER.readTree(json) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            // It says nothing.
        }
        return Json.MAPPER.createObjectNode();
    }

    /**
     * A part of the events, newest first.
     *
     * @param total how many are kept
     */
    public record SomeEvents(List<ObjectNode> events, long total) {}

    /** The events that come after so many newer ones; on a single server no others are read. */
    public SomeEvents events(int offset, int size) {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<String>>> parts = new ArrayList<>();
        List<Cells.Question<Long>> sizes = new ArrayList<>();
        Collection<String> homes = homes();
        // Of several places any may have the newest.
        int from = homes.size() == 1 ? offset : 0;
        for (String home : homes) {
            parts.add(cells.list(AlarmsLayouts.events(home), from, (long) offset + size - 1));
            sizes.add(cells.size(AlarmsLayouts.events(home)));
        }
        List<ObjectNode> found = new ArrayList<>();
        Iterator<String> home = homes.iterator();
        parts.forEach(each -> found.addAll(read(each.answer().or(List.of()), home.next())));
        if (homes.size() > 1) {
            found.sort(Comparator.comparingLong(AlarmReads::time).reversed());
        }
        long total = sizes.stream().mapToLong(each -> each.answer().or(0L)).sum();
        return new SomeEvents(
                found.stream().skip((long) offset - from).limit(size).toList(), total);
    }

    /**
     * The events behind this number, the oldest first, if the list says where they are: it does on
     * a single server, as long as nobody else has put anything into it.
     */
    public Optional<SomeEvents> eventsAfter(long seq, int offset, int size) {
        if (keyspace.redis().cluster()) {
            return Optional.empty();
        }
        Cells cells = keyspace.cells();
        var counter = cells.number(AlarmsLayouts.eventNumber(Declaration.SITE));
        var length = cells.size(AlarmsLayouts.events(Declaration.SITE));
        long newest = counter.answer().or(0L);
        long kept = length.answer().or(0L);
        long oldest = Math.max(seq, newest - kept) + 1;
        long first = oldest + offset;
        if (first > newest) {
            return Optional.of(new SomeEvents(List.of(), Math.max(0, newest - oldest + 1)));
        }
        long last = Math.min(newest, first + size - 1);
        List<ObjectNode> found =
                read(
                        cells.list(
                                        AlarmsLayouts.events(Declaration.SITE),
                                        newest - last,
                                        newest - first)
                                .answer()
                                .or(List.of()),
                        Declaration.SITE);
        long number = last;
        for (ObjectNode each : found) {
            if (each.path("seq").asLong(0) != number--) {
                return Optional.empty();
            }
        }
        return found.size() == last - first + 1
                ? Optional.of(new SomeEvents(found.reversed(), newest - oldest + 1))
                : Optional.empty();
    }

    /**
     * Somebody may have pushed something else, which is not an event. In a cluster there are many
     * lists, each with numbers of its own, so an event says in which it is.
     */
    private List<ObjectNode> read(List<String> texts, String home) {
        String log = isOneList() ? "" : "@" + keyspace.shard(home);
        List<ObjectNode> events = new ArrayList<>();
        for (String text : texts) {
            try {
                if (Json.MAPPER.readTree(text) instanceof ObjectNode event) {
                    if (!log.isEmpty()) {
                        event.put(LOG, log);
                    }
                    events.add(event);
                }
            } catch (JacksonException e) {
                // The others are.
            }
        }
        return events;
    }

    /** Every rule that this hub knows, with its alarm, in the order of their ids. */
    public List<Both> everything() {
        List<Both> all = new ArrayList<>();
        for (Watchlist list : lists.known()) {
            for (Watch each : list.all()) {
                all.add(new Both(each.rule(), each.terms(), each.alarm()));
            }
        }
        all.sort(Comparator.comparing(each -> each.rule().id()));
        return all;
    }

    /** All alarms of this status; those that were raised by hand without a rule too. */
    public List<Alarm> active() {
        return Watchlists.all(lists.alarms().query(AlarmsLayouts.ACTIVE)).stream()
                .map(Stored::value)
                .toList();
    }

    /**
     * The alarms of all rules that were ever raised, and those without a rule that are active.
     *
     * @param source if given, only rules of this source are looked for
     */
    public List<Alarm> alarms(Optional<String> source) {
        Map<String, Alarm> all = new LinkedHashMap<>();
        lists.alarms().getMany(raised(source)).forEach(each -> all.put(each.id(), each.value()));
        active().forEach(each -> all.put(each.ruleId(), each));
        return List.copyOf(all.values());
    }

    private List<String> raised(Optional<String> source) {
        List<String> ids = new ArrayList<>();
        for (Watchlist list : lists.known()) {
            Collection<Watch> some =
                    source.isEmpty()
                            ? list.all()
                            : list.fieldsOf(source.get()).values().stream()
                                    .flatMap(List::stream)
                                    .toList();
            some.stream()
                    .filter(each -> each.alarm().exists())
                    .forEach(each -> ids.add(each.rule().id()));
        }
        return ids;
    }

    /** Whether all events are in one list, with one row of numbers. */
    public boolean isOneList() {
        return !keyspace.redis().cluster();
    }

    /** The alarms of all rules of this source that were ever raised. */
    public List<Alarm> ofSource(String source) {
        return lists.alarms().getMany(raised(Optional.of(source))).stream()
                .map(Stored::value)
                .toList();
    }

    /** All events that are kept, newest first. */
    public List<ObjectNode> events() {
        return events(homes());
    }

    /** Those that are kept in the places of these homes, newest first. */
    public List<ObjectNode> events(Collection<String> homes) {
        List<ObjectNode> all = new ArrayList<>();
        for (String home : homes) {
            all.addAll(
                    read(
                            keyspace.cells()
                                    .list(AlarmsLayouts.events(home), 0, -1)
                                    .answer()
                                    .or(List.of()),
                            home));
        }
        if (keyspace.redis().cluster()) {
            all.sort(Comparator.comparingLong(AlarmReads::time).reversed());
        }
        return all;
    }

    private static long time(JsonNode event) {
        return event.path("timestamp").asLong(0);
    }

    /** The events of the place where this home is, newest first. */
    public static Cell.Key log(String home) {
        return AlarmsLayouts.events(home);
    }

    /** One home for each place in which there are events: on a single server there is one place. */
    public Collection<String> homes() {
        if (!keyspace.redis().cluster()) {
            return List.of(Declaration.SITE);
        }
        List<String> apart = new ArrayList<>(List.of(Declaration.SITE));
        for (Watchlist each : lists.known()) {
            if (apart.stream().noneMatch(other -> keyspace.liveTogether(other, each.home))) {
                apart.add(each.home);
            }
        }
        return apart;
    }
}
