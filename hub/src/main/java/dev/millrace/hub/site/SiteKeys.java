package dev.millrace.hub.site;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.store.Held;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Knows where these things are. Thread-safe: it keeps nothing. */
public final class SiteKeys implements Site {
    /** Of each type. */
    private static final int MOST_EVENTS = 1000;

    @Override
    public void event(
            Commit commit, String owner, String type, Map<String, Object> event, Instant at) {
        Map<String, Object> whole = new LinkedHashMap<>(event);
        whole.putIfAbsent("timestamp", Long.toString(at.getEpochSecond()));
        String json = new String(Json.write(whole), StandardCharsets.UTF_8);
        commit.logIfList(
                        SiteLayouts.events(owner, type),
                        SiteLayouts.eventNumbers(owner, type),
                        "{\"seq\":",
                        "," + json.substring(1),
                        MOST_EVENTS)
                .set(SiteLayouts.lastEvent(owner, type), json);
    }

    @Override
    public void size(Commit commit, String owner, Counted counted, Layout<?> layout, String index) {
        String field = counted.name().toLowerCase(Locale.ROOT);
        commit.sizeField(SiteLayouts.systemStatus(owner), field, layout, index);
    }

    @Override
    public Version version(Keyspace keyspace) {
        return new Version(
                keyspace.cells().string(SiteLayouts.CONFIGURATION_VERSION.at()).answer().or(""));
    }

    @Override
    public void raise(Commit commit, Version from) {
        commit.generation(SiteLayouts.CONFIGURATION_VERSION.at(), from.stored())
                .set(SiteLayouts.CONFIGURATION_VERSION.at(), Long.toString(from.next()));
    }

    @Override
    public List<String> advice(Keyspace keyspace) {
        Cell.Key status = SiteLayouts.systemStatus(Declaration.SITE);
        return keyspace.cells().hash(status).answer() instanceof Held.SomethingElse
                ? List.of(
                        "%s holds something else than a hash. Delete it: each count comes back with the next change of what it counts."
                                .formatted(status.key()))
                : List.of();
    }
}
