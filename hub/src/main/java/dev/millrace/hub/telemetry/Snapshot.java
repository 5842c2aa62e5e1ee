package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.ONLINE;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What live clients begin with: the values of all channels, source by source in the form of the
 * facts that follow, with the time of the newest of each. Of a plant with more points than anybody
 * takes in at once it has the first channels, and says that there are more.
 */
final class Snapshot {
    private static final int MOST_VALUES = 10_000;
    private static final int MOST_CHANNELS = 10_000;

    private final Keyspace keyspace;
    private final ChannelBook book;
    private final Values values;
    private final InstantSource clock;
    private final Store<ChannelStatus> statuses;

    Snapshot(Keyspace keyspace, ChannelBook book, Values values, InstantSource clock) {
        this.keyspace = keyspace;
        this.book = book;
        this.values = values;
        this.clock = clock;
        this.statuses = keyspace.store(CHANNEL_STATUS);
    }

    byte[] json() {
        StringBuilder out = new StringBuilder("[");
        int left = MOST_VALUES;
        boolean more = false;
        for (int channel : channels()) {
            for (PointType type : List.of(PointType.T, PointType.S)) {
                Values.Stored stored = left > 0 ? values.all(channel, type) : Values.Stored.NONE;
                more |= left <= 0;
                if (!stored.isEmpty()) {
                    out.append(out.length() == 1 ? "" : ",");
                    out.append(text(channel, type, stored));
                    left -= stored.values().size();
                }
            }
        }
        if (more) {
            out.append(",{\"more\":true}");
        }
        return out.append(']').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Those that are configured, or have values: in a cluster, or are online. */
    private Set<Integer> channels() {
        Set<Integer> ids = new TreeSet<>();
        book.all().forEach(each -> ids.add(each.id()));
        if (keyspace.redis().cluster()) {
            for (Stored<ChannelStatus> each :
                    statuses.query(ONLINE).limit(MOST_CHANNELS).page().items()) {
                ids.add(PointIds.channel(each.id()));
            }
        } else {
            keyspace.cells()
                    .members(TelemetryLayouts.index("1"), PointIds.LARGEST_CHANNEL)
                    .answer()
                    .or(Set.of())
                    .forEach(id -> ids.add(PointIds.channel(id)));
        }
        ids.remove(0);
        return ids;
    }

    private String text(int channel, PointType type, Values.Stored stored) {
        List<Value> all = new ArrayList<>();
        stored.values().keySet().stream()
                .filter(point -> PointIds.point(point) != 0)
                .forEach(point -> all.add(stored.present(point).value()));
        all.sort(Comparator.comparingLong(each -> PointIds.point(each.field())));
        Instant newest =
                stored.values().keySet().stream()
                        .flatMap(point -> stored.present(point).at().stream())
                        .max(Comparator.naturalOrder())
                        .orElseGet(clock::instant);
        Source source = values.channel(channel).source(type);
        return new String(Batch.present(source, all, newest, true).fact(), StandardCharsets.UTF_8);
    }
}
