package dev.millrace.hub.alarms.kept;

import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Terms;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked about rules, alarms and events. Thread-safe. */
public final class AlarmReads {
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

    private static boolean isOurs(String id) {
        return !AlarmsLayouts.RESERVED.contains(id)
                && id.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    }

    /** Members of a rule that were submitted and that its hash does not have. */
    public ObjectNode submitted(AlarmRule rule) {
        Optional<byte[]> json = keyspace.value(AlarmsLayouts.submitted(rule.home(), rule.id()));
        try {
            return json.isPresent() && Json.MAPPER.readTree(json.get()) instanceof ObjectNode object
                    ? object
                    : Json.MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return Json.MAPPER.createObjectNode(); // what somebody wrote by hand may be anything
        }
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

    /** The alarms of all rules, active or not, and those without a rule that are active. */
    public List<Alarm> alarms() {
        Map<String, Alarm> all = new LinkedHashMap<>();
        List<String> ids = everything().stream().map(each -> each.rule().id()).toList();
        lists.alarms().getMany(ids).forEach(each -> all.put(each.id(), each.value()));
        active().forEach(each -> all.put(each.ruleId(), each));
        return List.copyOf(all.values());
    }

    /** All events that are kept, newest first. */
    public List<ObjectNode> events() {
        List<ObjectNode> all = new ArrayList<>();
        for (String home : homes()) {
            for (String text :
                    keyspace.cells()
                            .list(AlarmsLayouts.events(home), 0, -1)
                            .answer()
                            .or(List.of())) {
                try {
                    if (Json.MAPPER.readTree(text) instanceof ObjectNode event) {
                        all.add(event);
                    }
                } catch (JacksonException e) {
                    // Somebody has pushed something else; it is not an event.
                }
            }
        }
        if (keyspace.redis().cluster()) {
            all.sort(Comparator.comparingLong(AlarmReads::time).reversed());
        }
        return all;
    }

    private static long time(JsonNode event) {
        return event.path("timestamp").asLong(0);
    }

    /** One home for each place in which there are events: on a single server there is one place. */
    private Collection<String> homes() {
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
