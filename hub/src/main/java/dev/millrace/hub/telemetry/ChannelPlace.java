package dev.millrace.hub.telemetry;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.site.sync.Place;
import dev.millrace.hub.site.sync.SyncResult;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.telemetry.kept.ValuesReader;
import dev.millrace.hub.why.Origin;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.store.Cells;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The values of channels, for patterns that copy them: what is written comes in as if it had been
 * sent.
 */
record ChannelPlace(
        Keyspace keyspace,
        Site site,
        Values values,
        Looks looks,
        ChannelBook book,
        List<Contributor> watchers)
        implements Place {
    private static final int MOST_CHANNELS = 100_000;

    ChannelPlace {
        watchers = List.copyOf(watchers);
    }

    @Override
    public String prefix() {
        return "comsrv:";
    }

    @Override
    public List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int channel : channels()) {
            for (PointType type : PointType.values()) {
                keys.add(TelemetryLayouts.values(type).at(Integer.toString(channel)).key());
            }
        }
        return keys;
    }

    /** Those that are configured or have values, by number. */
    private Set<Integer> channels() {
        Set<Integer> all = new TreeSet<>();
        book.all().forEach(each -> all.add(each.id()));
        Cells cells = keyspace.cells();
        List<Cells.Question<Set<String>>> questions =
                site.places(keyspace).stream()
                        .map(owner -> cells.members(TelemetryLayouts.index(owner), MOST_CHANNELS))
                        .toList();
        for (Cells.Question<Set<String>> each : questions) {
            each.answer().or(Set.of()).stream()
                    .map(PointIds::channel)
                    .filter(id -> id > 0)
                    .forEach(all::add);
        }
        return all;
    }

    @Override
    public Map<String, String> read(String key) {
        return Source.parse(key)
                .<Map<String, String>>map(
                        name -> new TreeMap<>(values.all(name.channel(), name.type()).values()))
                .orElse(Map.of());
    }

    @Override
    public Optional<String> write(String key, Map<String, String> fields) {
        return write(key, fields, Optional.empty());
    }

    Optional<String> write(String key, Map<String, String> fields, Optional<Origin> origin) {
        Optional<Source.Name> name = Source.parse(key);
        if (name.isEmpty()) {
            return Optional.of("This is not the key of values.");
        }
        if (!name.get().type().isRead()) {
            return Optional.of("Commands are given by actions, rules and people.");
        }
        return switch (ValuesReader.values(Json.write(fields), name.get().type())) {
            case ValuesReader.Read.Done<NewValues>(NewValues sent) -> {
                WriteResult result =
                        values.write(
                                        name.get().channel(),
                                        name.get().type(),
                                        sent,
                                        Optional.empty(),
                                        origin)
                                .join();
                yield trouble(sent, result);
            }
            case ValuesReader.Read.NotJson<NewValues>(String why) -> Optional.of(why);
            case ValuesReader.Read.Invalid<NewValues>(String why) -> Optional.of(why);
            case ValuesReader.Read.TooMany<NewValues>(String why) -> Optional.of(why);
        };
    }

    private static Optional<String> trouble(NewValues sent, WriteResult result) {
        return switch (result) {
            case WriteResult.Done done ->
                    sent.rejected().isEmpty()
                            ? Optional.empty()
                            : Optional.of(sent.rejected().getFirst().toString());
            case WriteResult.Failed(Outcome<Long> why) -> Optional.of(String.valueOf(why));
        };
    }

    @Override
    public Map<String, Supplier<SyncResult>> builtIn() {
        return Map.of("comsrv_to_alarmsrv", this::evaluate, "comsrv_to_hissrv", this::record);
    }

    /** Looks at everything that somebody watches, as if it had just been written. */
    private SyncResult evaluate() {
        long sources = 0;
        for (Contributor each : watchers) {
            for (String source : each.sources()) {
                if (source.startsWith(prefix())) {
                    looks.lookAt(source, each.watched(source));
                    sources++;
                }
            }
        }
        return new SyncResult(sources, sources, List.of());
    }

    /** What is to be recorded is recorded as it comes; there is nothing left to do. */
    private SyncResult record() {
        return new SyncResult(channels().size(), 0, List.of());
    }
}
