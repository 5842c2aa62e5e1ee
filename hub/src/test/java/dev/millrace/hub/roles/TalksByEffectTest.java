package dev.millrace.hub.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What each role does over a WebSocket. MQTT over a WebSocket is among the rows of MQTT. */
class TalksByEffectTest {
    private static final String WAY = "WebSocket";
    private static final String CHANNEL_WS = "/channel/{channel}/subscription/ws/{subscriber}: ";

    @TempDir private static Path directory;
    private static Stage stage;

    private final List<String> wrong = new ArrayList<>();
    private String channel = "";

    @BeforeAll
    static void open() {
        stage = Stage.open(directory);
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    /** Tries something, and gives whether it was done. */
    @FunctionalInterface
    private interface Attempt {
        boolean by(Who who);
    }

    @Test
    void every_talk_does_for_each_role_what_the_table_says() {
        List<Table.Row> rows =
                List.of(
                        row(
                                "/live/ws: listen to the feed of a room",
                                "Hears what happens there.",
                                Optional.empty(),
                                who -> live(who, "{\"subscribe\":[\"events\"]}")),
                        row(
                                "/live/ws: listen to the audit",
                                "Hears who changes what.",
                                Optional.empty(),
                                who -> live(who, "{\"subscribe\":[\"audit\"]}")),
                        row(
                                "/live/ws: say anything else",
                                "There is nothing else to be said.",
                                Optional.empty(),
                                who -> live(who, "{\"publish\":[\"events\"]}")),
                        row(
                                "/ws: subscribe to values",
                                "Hears what the points of a channel are.",
                                Optional.empty(),
                                TalksByEffectTest::values),
                        row(
                                "/ws: subscribe to alarms",
                                "Hears what happens to alarms.",
                                Optional.empty(),
                                who -> ws(who, "{\"type\":\"subscribe_alarms\"}")),
                        row(
                                "/history/timeseries/stream: ask for metrics",
                                "Hears the last values of fields.",
                                Optional.empty(),
                                TalksByEffectTest::timeseries),
                        row(
                                CHANNEL_WS + "listen",
                                "Hears the messages of a subscriber; an operator keeps it alive.",
                                Optional.of(Who.OPERATOR),
                                this::listen),
                        acknowledging());
        rows.forEach(row -> System.out.println(row.line()));
        assertThat(wrong).isEmpty();
        Table.mustBeKept(WAY, rows);
    }

    private Table.Row row(String action, String about, Optional<Who> changesFrom, Attempt attempt) {
        Map<Who, Cell> cells = new EnumMap<>(Who.class);
        for (Who who : Who.values()) {
            channel = ChannelSamples.channel(stage);
            State before = stage.settled();
            boolean done = attempt.by(who);
            boolean changes = done && changesFrom.filter(who::atLeast).isPresent();
            State after = stage.state();
            if (changes == before.equals(after)) {
                wrong.add("%s as %s changed %s".formatted(action, who, before.changedIn(after)));
            }
            cells.put(who, !done ? Cell.REFUSED : changes ? Cell.CHANGES : Cell.READS);
        }
        return new Table.Row(WAY, action, cells, about);
    }

    // ---------------------------------------------------------------- feeds

    private static boolean live(Who who, String said) {
        try (Talking talking = Talking.to(stage.hub().url() + "/live/ws", stage.token(who))) {
            talking.say(said);
            return talking.frame(0)
                    .filter(frame -> !frame.path("event").asString("").equals("error"))
                    .isPresent();
        }
    }

    private static boolean timeseries(Who who) {
        String url = stage.hub().url() + "/history/timeseries/stream";
        try (Talking talking = Talking.to(url, stage.token(who))) {
            talking.say(
                    "{\"id\":\"1\",\"command\":\"metrics\",\"query\":{\"fields\":[\"tank/x\"]}}");
            return talking.frame(0).filter(frame -> frame.has("data")).isPresent();
        }
    }

    private static boolean ws(Who who, String said) {
        try (Talking talking = Talking.to(stage.hub().url() + "/ws", stage.token(who))) {
            talking.say(said);
            return talking.frame(0)
                    .filter(frame -> frame.path("type").asString("").equals("subscribe_ack"))
                    .isPresent();
        }
    }

    private static boolean values(Who who) {
        return ws(who, "{\"type\":\"subscribe\",\"data\":{\"channels\":[\"x\"]}}");
    }

    // ---------------------------------------------------------------- channels

    private Talking channel(Who who) {
        return Talking.to(stage.hub().url() + channel + "/subscription/ws/s", stage.token(who));
    }

    private boolean listen(Who who) {
        try (Talking talking = channel(who)) {
            return talking.frame(0).filter(frame -> frame.has("messageID")).isPresent();
        }
    }

    /** To listen keeps the subscriber alive, so what is looked at here is where it stands. */
    private Table.Row acknowledging() {
        Map<Who, Cell> cells = new EnumMap<>(Who.class);
        for (Who who : Who.values()) {
            channel = ChannelSamples.channel(stage);
            String cursor = "c.{%s}.r.s".formatted(channel.substring("/channel/".length()));
            Object before = Objects.requireNonNull(stage.redis("GET", cursor));
            String handle = ChannelSamples.handle(stage, channel);
            Cell cell;
            try (Talking talking = channel(who)) {
                talking.say("{\"ack\":\"%s\"}".formatted(handle));
                cell = acknowledged(talking, who, cursor, before);
            }
            cells.put(who, cell);
        }
        return new Table.Row(
                WAY,
                CHANNEL_WS + "acknowledge",
                cells,
                "The messages up to there have arrived at the subscriber.");
    }

    private Cell acknowledged(Talking talking, Who who, String cursor, Object before) {
        if (who.atLeast(Who.OPERATOR)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !before.equals(stage.redis("GET", cursor)));
            return Cell.CHANGES;
        }
        int number = 0;
        Optional<JsonNode> frame = talking.frame(number);
        while (frame.isPresent() && !frame.get().has("error")) {
            number++;
            frame = talking.frame(number);
        }
        if (!before.equals(stage.redis("GET", cursor))) {
            wrong.add("acknowledge as %s moved the cursor".formatted(who));
        }
        return Cell.REFUSED;
    }
}
