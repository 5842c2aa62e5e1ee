package dev.millrace.hub.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Guard;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;

import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Each route is asked by everybody, in a way that means something, and everything that could have
 * changed is compared before and after. Whoever is refused changes nothing; a viewer changes
 * nothing anywhere; whoever should change something does, or the request would prove nothing. What
 * came out is {@code roles-by-effect.txt}, line by line.
 */
class RolesByEffectTest {
    static final String WAY = "HTTP";

    /** Spoken over a WebSocket; their rows are those of {@link TalksByEffectTest} and of MQTT. */
    private static final Set<String> TALKS =
            Set.of(
                    "GET /live/ws",
                    "GET /ws",
                    "GET /ws/v1/realtime",
                    "GET /eventbus",
                    "GET /history/timeseries/stream",
                    "GET /channel/{channel:any}/subscription/ws/{subscriber:any}");

    private static final Map<String, Sample> SAMPLES = samples();
    private static final int ATTEMPTS = 20;

    private static Stage stage;

    private final List<String> wrong = new ArrayList<>();

    private static Map<String, Sample> samples() {
        Map<String, Sample> all = new LinkedHashMap<>();
        OpsSamples.put(all);
        PageSamples.put(all);
        ReadingsSamples.put(all);
        NotificationSamples.put(all);
        DocumentSamples.put(all);
        ChannelSamples.put(all);
        TelemetrySamples.put(all);
        RuleSamples.put(all);
        CommandSamples.put(all);
        AlarmSamples.put(all);
        SiteSamples.put(all);
        ModelSamples.put(all);
        HistorySamples.put(all);
        WhySamples.put(all);
        ShopSamples.put(all);
        return all;
    }

    @TempDir private static Path directory;

    @BeforeAll
    static void open() {
        stage = Stage.open(directory);
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    private static String routeOf(String label) {
        int note = label.indexOf(" (");
        return note < 0 ? label : label.substring(0, note);
    }

    @Test
    void every_route_has_a_sample_and_every_sample_a_route() {
        assertThat(SAMPLES.keySet().stream().map(RolesByEffectTest::routeOf))
                .containsAll(
                        stage.hub().routes().stream()
                                .map(Route::name)
                                .filter(name -> !TALKS.contains(name))
                                .toList());
        assertThat(stage.hub().routes().stream().map(Route::name))
                .containsAll(TALKS)
                .containsAll(SAMPLES.keySet().stream().map(RolesByEffectTest::routeOf).toList());
    }

    @Test
    void every_route_does_for_each_role_what_the_table_says() {
        Map<String, String> abouts = abouts();
        List<Table.Row> rows = new ArrayList<>();
        for (Route route : stage.hub().routes()) {
            SAMPLES.forEach(
                    (label, sample) -> {
                        if (routeOf(label).equals(route.name())) {
                            Map<Who, Cell> cells = tried(route, label, sample);
                            mustFit(route, cells);
                            rows.add(
                                    new Table.Row(
                                            WAY,
                                            label,
                                            cells,
                                            Objects.requireNonNull(abouts.get(route.name()))));
                        }
                    });
        }
        rows.sort(Comparator.comparing(RolesByEffectTest::pathOf).thenComparing(Table.Row::action));
        rows.forEach(row -> System.out.println(row.line()));
        assertThat(wrong).isEmpty();
        Table.mustBeKept(WAY, rows);
    }

    private static String pathOf(Table.Row row) {
        return row.action().substring(row.action().indexOf(' ') + 1);
    }

    @Test
    void the_page_for_people_is_the_table_that_is_kept() {
        Table.pageMustBeCurrent();
    }

    // ---------------------------------------------------------------- one route

    private Map<Who, Cell> tried(Route route, String label, Sample sample) {
        Map<Who, Cell> cells = new EnumMap<>(Who.class);
        Function<Stage, Object> look = sample.watched().orElse(Stage::state);
        Call call = sample.given().apply(stage);
        Object before = settled(sample);
        for (Who who : Who.values()) {
            Stage.Reply reply = stage.send(who, route.method().name(), call);
            for (int again = 0; reply.status() == 409 && again < ATTEMPTS; again++) {
                // What was to be stopped had come to its end.
                call = sample.given().apply(stage);
                reply = stage.send(who, route.method().name(), call);
            }
            String line = "%s as %s: %s".formatted(label, who.word(), shortened(reply));
            boolean changed = false;
            if (reply.done() && sample.changesFor(who)) {
                changed = changes(look, before);
                if (!changed) {
                    wrong.add(line + " should have changed something");
                }
            } else {
                Object after = look.apply(stage);
                changed = !after.equals(before);
                if (changed) {
                    wrong.add(line + " has changed " + difference(before, after));
                }
                if (!reply.done() && !reply.refused()) {
                    wrong.add(line + " is neither done nor refused");
                }
            }
            if (changed && who == Who.VIEWER) {
                wrong.add(line + ": a viewer changes nothing");
            }
            cells.put(who, reply.refused() ? Cell.REFUSED : changed ? Cell.CHANGES : Cell.READS);
            if (changed && who != Who.ADMIN) {
                call = sample.given().apply(stage);
                before = settled(sample);
            }
        }
        return cells;
    }

    private static Object settled(Sample sample) {
        return sample.watched().isPresent() ? sample.watched().get().apply(stage) : stage.settled();
    }

    /** Some things happen after the answer. */
    private static boolean changes(Function<Stage, Object> look, Object before) {
        try {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> !look.apply(stage).equals(before));
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    private static String difference(Object before, Object after) {
        return before instanceof State earlier && after instanceof State later
                ? earlier.changedIn(later).toString()
                : before + " to " + after;
    }

    private static String shortened(Stage.Reply reply) {
        String body = reply.body();
        return reply.status() + " " + body.substring(0, Math.min(200, body.length())).strip();
    }

    /** Who is let in is whom the route itself says it lets in. */
    private void mustFit(Route route, Map<Who, Cell> cells) {
        Optional<Who> needed =
                switch (route.guard()) {
                    case Guard.Anyone anyone -> Optional.of(Who.NOBODY);
                    case Guard.Needs(var door) ->
                            door.needed()
                                    .map(role -> Who.valueOf(role.name()))
                                    .or(() -> Optional.of(Who.NOBODY));
                    case Guard.OwnCheck own -> Optional.empty();
                };
        for (Who who : Who.values()) {
            boolean refused = cells.get(who) == Cell.REFUSED;
            if (needed.isPresent() && refused == who.atLeast(needed.get())) {
                wrong.add("%s needs %s; %s: %s".formatted(route.name(), needed, who, cells));
            }
        }
    }

    /** The first sentence of the documentation of each route. */
    private static Map<String, String> abouts() {
        Map<String, String> documented = new LinkedHashMap<>();
        JsonNode paths =
                Json.MAPPER.readTree(stage.prepare("GET", "/openapi.json", "")).get("paths");
        for (Route route : stage.hub().routes()) {
            String path = route.path().replaceAll(":(digits|any|slashed)}", "}");
            documented.put(
                    route.name(),
                    paths.get(path)
                            .get(route.method().name().toLowerCase(Locale.ROOT))
                            .get("summary")
                            .asString()
                            .replaceFirst("(?<=\\.) .*", ""));
        }
        return documented;
    }
}
