package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.channels.ForeignChannels;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.pattern.KeyPattern;

import java.util.List;
import java.util.Optional;

/**
 * Hears that keys of channels were written, by whomever. Every hub hears it; one of them takes over
 * what others have written, and all of them read configurations again. In a cluster nothing is
 * heard: there nobody promises anything to foreign writers.
 */
final class Hints implements AutoCloseable {
    private static final KeyPattern CONFIGURATIONS = TelemetryLayouts.CHANNELS.pattern();

    private final ChannelBook book;
    private final ForeignChannels configurations;
    private final Looks looks;
    private final Optional<ForeignWrites> heard;

    Hints(Keyspace keyspace, ChannelBook book, ForeignChannels configurations, Looks looks) {
        this.book = book;
        this.configurations = configurations;
        this.looks = looks;
        this.heard =
                keyspace.redis().cluster()
                        ? Optional.empty()
                        : Optional.of(
                                keyspace.foreignWrites(
                                        List.of(
                                                TelemetryLayouts.TELEMETRY.pattern(),
                                                TelemetryLayouts.SIGNALS.pattern(),
                                                CONFIGURATIONS),
                                        this::noticed));
    }

    private void noticed(ForeignWrites.Noticed noticed) {
        if (looks.mine()) {
            if (noticed.everythingOf(CONFIGURATIONS)) {
                configurations.sweep();
            }
            noticed.keysOf(CONFIGURATIONS).forEach(configurations::touched);
            looks.noticed(noticed);
        } else if (noticed.everythingOf(CONFIGURATIONS)
                || !noticed.keysOf(CONFIGURATIONS).isEmpty()) {
            book.look();
        }
    }

    @Override
    public void close() {
        heard.ifPresent(ForeignWrites::close);
    }
}
