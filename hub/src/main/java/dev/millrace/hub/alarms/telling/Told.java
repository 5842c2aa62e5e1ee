package dev.millrace.hub.alarms.telling;

import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.why.Episode;

import tools.jackson.databind.JsonNode;

import java.util.Optional;

/**
 * What a fact of the feed says.
 *
 * @param episode the how-manieth time the alarm went off
 * @param state as it is stored
 */
record Told(
        String type,
        String rule,
        String title,
        Optional<Level> level,
        String category,
        String state,
        boolean active,
        long episode) {

    static Told of(byte[] fact) {
        JsonNode json = Json.MAPPER.readTree(fact);
        return new Told(
                json.path("type").asString(""),
                json.path("rule_id").asString(""),
                json.path("title").asString(""),
                Level.of(json.path("level").asString("")),
                json.path("category").asString(""),
                json.path("state").asString(""),
                json.path("active").asBoolean(false),
                json.path("count").asLong(0));
    }

    /** People want to hear of it now. */
    boolean isNews() {
        boolean shown = state.equals("UNACK") || state.equals("ACKED");
        return active
                && shown
                && switch (type) {
                    case "triggered", "escalated", "unshelved", "re_alarmed" -> true;
                    default -> false;
                };
    }

    boolean isEnd() {
        return type.equals("cleared") || type.equals("cleared_by_disable");
    }

    /** Of the notification about this time that it went off. */
    String slug() {
        return Episode.id(rule, episode);
    }
}
