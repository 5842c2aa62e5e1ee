package dev.millrace.hub.history.kept;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.store.Cells;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times of which values are missing, because they were dropped before they could be recorded. The
 * newest are kept for whoever looks at the past and wonders. Thread-safe.
 */
public final class Gaps {
    /** Of each shard. */
    private static final int MOST = 100;

    private final Keyspace keyspace;

    public Gaps(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * A time of which values are missing.
     *
     * @param from when the last value before it was announced, in ms; 0 if nobody knows
     * @param to when the first one after it was
     * @param facts how many announcements are lost
     */
    public record Gap(String topic, int shard, long from, long to, long facts) {
        /** For clients. */
        public Map<String, Object> view() {
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("topic", topic);
            view.put("shard", shard);
            view.put("from", from);
            view.put("to", to);
            view.put("facts", facts);
            return view;
        }
    }

    /** Writes one down, in the commit that closes it. */
    public Gap put(Commit commit, String topic, int shard, FeedReader.Gap lost, long to) {
        Gap gap = new Gap(topic, shard, until(shard), to, lost.to() - lost.from() + 1);
        String json = new String(Json.write(gap.view()), StandardCharsets.UTF_8);
        commit.push(HistoryLayouts.gaps(shard), json.getBytes(StandardCharsets.UTF_8), MOST);
        return gap;
    }

    /** When the last value was announced that was recorded. */
    private long until(int shard) {
        String text =
                keyspace.cells()
                        .fields(HistoryLayouts.recorder(shard), List.of("until"))
                        .answer()
                        .or(Map.of())
                        .getOrDefault("until", "0");
        return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : 0;
    }

    /** Those that are known, the newest first. */
    public List<Gap> all() {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<String>>> questions = new ArrayList<>();
        for (int shard : HistoryLayouts.shards(keyspace)) {
            questions.add(cells.list(HistoryLayouts.gaps(shard), 0, MOST));
        }
        List<Gap> gaps = new ArrayList<>();
        for (Cells.Question<List<String>> question : questions) {
            question.answer().or(List.of()).forEach(text -> read(text, gaps));
        }
        gaps.sort(Comparator.comparingLong(Gap::to).reversed());
        return gaps;
    }

    private static void read(String text, List<Gap> gaps) {
        try {
            JsonNode json = Json.MAPPER.readTree(text);
            gaps.add(
                    new Gap(
                            json.path("topic").asString(""),
                            json.path("shard").asInt(0),
                            json.path("from").asLong(0),
                            json.path("to").asLong(0),
                            json.path("facts").asLong(0)));
        } catch (JacksonException e) {
            // Somebody else has written it.
        }
    }
}
