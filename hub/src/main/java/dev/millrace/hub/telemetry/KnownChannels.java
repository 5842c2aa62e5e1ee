package dev.millrace.hub.telemetry;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What this hub remembers of channels. Thread-safe. */
final class KnownChannels {
    private final Map<Integer, Channel> channels = new ConcurrentHashMap<>();

    Channel get(int id) {
        return channels.computeIfAbsent(id, Channel::new);
    }
}
