package dev.millrace.keyspace;

import dev.millrace.keyspace.Check.Found;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** From values to indexes: each value has every entry that it asks for. */
final class ValueCheck {
    private final Keyspace keyspace;
    private final CheckLog log;
    private final boolean repair;

    ValueCheck(Keyspace keyspace, CheckLog log, boolean repair) {
        this.keyspace = keyspace;
        this.log = log;
        this.repair = repair;
    }

    void check(List<Found> step) {
        List<Found> values =
                step.stream()
                        .filter(
                                found ->
                                        found.spots().stream()
                                                .anyMatch(s -> s.role() == Spot.Role.VALUE))
                        .toList();
        Map<Found, Layout<?>> layouts = Check.layoutsOf(keyspace, values);
        for (Found found : values) {
            if (!layouts.containsKey(found)) {
                log.unknown(found.fullKey());
            }
        }
        List<Request> requests = new ArrayList<>();
        layouts.forEach(
                (found, layout) ->
                        requests.add(
                                Check.ask(
                                        found.place(),
                                        layout.type() == KeyType.STRING ? "GET" : "HGETALL",
                                        found.key())));
        requests.forEach(keyspace.redis()::submit);
        List<Comparison<?>> comparisons = new ArrayList<>();
        int at = 0;
        for (Map.Entry<Found, Layout<?>> each : layouts.entrySet()) {
            Object reply = requests.get(at++).await();
            Comparison<?> comparison = decoded(each.getValue(), each.getKey(), reply);
            if (comparison != null) {
                comparisons.add(comparison);
            }
        }
        comparisons.forEach(Comparison::ask);
        comparisons.forEach(Comparison::compare);
    }

    private <E> @Nullable Comparison<E> decoded(
            Layout<E> layout, Found found, @Nullable Object reply) {
        Raw raw = Replies.raw(layout, reply);
        if (raw == null) {
            return null;
        }
        log.value();
        String id = layout.idOf(found.key());
        try {
            E value = layout.decode(found.key(), raw);
            List<Entry> entries = layout.entries(value);
            Place place = found.place();
            if (!keyspace.shards().cluster()) {
                place = keyspace.shards().place(layout.ownerOf(value));
            } else if (!layout.pattern().tagged()
                    && !keyspace.shards().place(layout.ownerOf(value)).together(place)) {
                log.found(
                        Finding.Kind.STRAY,
                        layout.name(),
                        found.fullKey(),
                        "lies outside the shard of its owner " + layout.ownerOf(value),
                        false);
                return null;
            }
            return new Comparison<>(layout, new Stored<>(id, value, raw, place), entries);
        } catch (RuntimeException e) {
            log.found(
                    Finding.Kind.UNDECODABLE,
                    layout.name(),
                    found.fullKey(),
                    String.valueOf(e.getMessage()),
                    false);
            return null;
        }
    }

    /** One value, what it asks for, and what is there. */
    private final class Comparison<E> {
        private final Layout<E> layout;
        private final Stored<E> stored;
        private final List<Entry> entries;
        private final List<Request> requests = new ArrayList<>();

        Comparison(Layout<E> layout, Stored<E> stored, List<Entry> entries) {
            this.layout = layout;
            this.stored = stored;
            this.entries = entries;
        }

        void ask() {
            for (Entry entry : entries) {
                Request request =
                        switch (entry) {
                            case Entry.Sorted(String key, double score, String member) ->
                                    Check.ask(stored.place(), "ZSCORE", key, member);
                            case Entry.Member(String key, String member) ->
                                    Check.ask(stored.place(), "SISMEMBER", key, member);
                            case Entry.Unique(String key, String field, String id) ->
                                    Check.ask(stored.place(), "HGET", key, field);
                        };
                requests.add(request);
                keyspace.redis().submit(request);
            }
        }

        void compare() {
            List<Entry> suspects = new ArrayList<>();
            for (int i = 0; i < entries.size(); i++) {
                Object reply = Check.answer(requests.get(i));
                String found =
                        reply instanceof Long number
                                ? number == 0 ? null : "1"
                                : Replies.text(reply);
                if (!Look.agrees(found, entries.get(i))) {
                    suspects.add(entries.get(i));
                }
            }
            if (!suspects.isEmpty()) {
                lookAgain(suspects);
            }
        }

        private void lookAgain(List<Entry> suspects) {
            Look look = Look.at(keyspace, layout, stored.place(), stored.id(), suspects);
            if (!stored.raw().equals(look.raw())) {
                return; // somebody changed the value meanwhile, and with it the entries
            }
            for (int i = 0; i < suspects.size(); i++) {
                if (!look.agrees(i, suspects.get(i))) {
                    report(suspects.get(i), look.entries().get(i));
                }
            }
        }

        private void report(Entry entry, @Nullable String found) {
            String key = stored.place().prefix() + entry.key();
            Finding.Kind kind =
                    found == null
                            ? Finding.Kind.MISSING_ENTRY
                            : entry instanceof Entry.Unique
                                    ? Finding.Kind.UNIQUE_TWICE
                                    : Finding.Kind.WRONG_SCORE;
            String detail =
                    switch (kind) {
                        case MISSING_ENTRY -> "has no entry for " + stored.id();
                        case UNIQUE_TWICE ->
                                "points to " + found + ", and " + stored.id() + " claims it too";
                        default -> "has " + stored.id() + " with score " + found;
                    };
            boolean mended = false;
            if (repair && kind != Finding.Kind.UNIQUE_TWICE) {
                Outcome<Long> outcome = new Mender(keyspace).enter(layout, stored, List.of(entry));
                if (outcome.failedBy(Reason.CONFLICT) || outcome.failedBy(Reason.ABSENT)) {
                    return; // changed meanwhile: its writer has written the entries too
                }
                mended = outcome.isDone();
            }
            log.found(kind, layout.name(), key, detail, mended);
        }
    }
}
