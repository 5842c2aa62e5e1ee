package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An announcement with its number, on its way to clients, who share its text. */
final class Announced {
    private final Wording wording;
    private final Announcement announcement;
    private final String data;
    private final Map<String, String> texts = new ConcurrentHashMap<>(2);

    /**
     * Something in a list.
     *
     * @param log the name of the list; empty for an only one
     */
    Announced(Wording wording, Announcement announcement, long number, String log) {
        this.wording = wording;
        this.announcement = announcement;
        ObjectNode whole = announcement.data().deepCopy();
        whole.put("seq", number);
        if (!log.isEmpty()) {
            whole.put("log", log);
        }
        this.data = new String(Json.write(whole), StandardCharsets.UTF_8);
    }

    Announcement announcement() {
        return announcement;
    }

    /** The message, under the name that the client knows. */
    String text(String type) {
        String name = announcement.type().orElse(type);
        return texts.computeIfAbsent(name, each -> wording.message(each, data));
    }
}
