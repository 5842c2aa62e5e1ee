package dev.millrace.hub.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.access.Role;

import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What each role does over MQTT, judged by what others hear, what is stored, and whether anybody
 * loses something. Whether nothing comes is known when something has come that was sent later.
 */
class MqttByEffectTest {
    private static final String WAY = "MQTT";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SEVERAL = 20;

    private static final String SHARE_OURS = "listen in a group of the hub ($share/millrace-…)";
    private static final String SHARE_WITH_CLIENT = "listen in a group named like a client";
    private static final String SEND_EVENT = "send an event";
    private static final String TAKE_OVER = "use a client id of another token";
    private static final String TAKES = "Takes messages that others of the group would have got.";
    private static final String ENDS = "Ends the session of whoever has it, and gets its messages.";

    /** Here others store something meanwhile, so that it can be seen whether all of it arrives. */
    private static final Set<String> HELPED =
            Set.of(SHARE_OURS, SHARE_WITH_CLIENT, SEND_EVENT, TAKE_OVER);

    @TempDir private static Path directory;
    private static Stage stage;
    private static Guest everywhere;
    private static Guest sender;

    private final List<String> wrong = new ArrayList<>();
    private int made;

    @BeforeAll
    static void open() {
        stage = Stage.open(directory);
        everywhere = Guest.come(stage.mqttPort(), "everywhere", stage.token(Who.ADMIN));
        assertThat(everywhere.listen("plant/#")).isTrue();
        sender = Guest.come(stage.mqttPort(), "sender", stage.token(Who.ADMIN));
    }

    @AfterAll
    static void close() {
        everywhere.close();
        sender.close();
        stage.close();
    }

    /** Tries something. */
    @FunctionalInterface
    private interface Attempt {
        Cell by(Who who);
    }

    private Table.Row row(String action, String about, Attempt attempt) {
        Map<Who, Cell> cells = new EnumMap<>(Who.class);
        for (Who who : Who.values()) {
            State before = stage.state();
            Cell cell = tried(action, who, attempt);
            State after = stage.state();
            if (!who.atLeast(Who.OPERATOR) && !HELPED.contains(action) && !after.equals(before)) {
                wrong.add(
                        "%s as %s stores something: %s"
                                .formatted(action, who.word(), before.changedIn(after)));
            }
            if (cell == Cell.CHANGES && !who.atLeast(Who.OPERATOR)) {
                wrong.add("%s as %s has an effect".formatted(action, who.word()));
            }
            cells.put(who, cell);
        }
        return new Table.Row(WAY, action, cells, about);
    }

    private Cell tried(String action, Who who, Attempt attempt) {
        try {
            return attempt.by(who);
        } catch (ConditionTimeoutException e) {
            wrong.add("%s as %s: what should come never came".formatted(action, who.word()));
            return Cell.CHANGES;
        }
    }

    private Guest come(Who who) {
        return Guest.come(stage.mqttPort(), fresh(who.word()), stage.token(who));
    }

    private String fresh(String kind) {
        made++;
        return kind + "-" + made;
    }

    /** After this, everything has come that was sent before. */
    private void marked() {
        String mark = fresh("mark");
        assertThat(sender.send("plant/mark", mark)).isTrue();
        await().atMost(PATIENCE).until(() -> everywhere.heard().contains("plant/mark " + mark));
    }

    private static Cell read(boolean done) {
        return done ? Cell.READS : Cell.REFUSED;
    }

    private static Cell changed(boolean done) {
        return done ? Cell.CHANGES : Cell.REFUSED;
    }

    @Test
    void everything_over_mqtt_does_for_each_role_what_the_table_says() {
        List<Table.Row> rows = new ArrayList<>();
        rows.add(row("connect", "Is let in.", this::connects));
        rows.add(row("listen", "Hears what is sent.", this::listens));
        rows.add(row("stop listening", "Hears no more; others do.", this::stopsListening));
        rows.add(row("listen in a group ($share/…)", TAKES, this::shares));
        rows.add(row(SHARE_OURS, TAKES, this::sharesOurs));
        rows.add(
                row(
                        SHARE_WITH_CLIENT,
                        "The client gets all of its messages nevertheless.",
                        this::sharesWithClient));
        rows.add(row("send", "Others hear it.", who -> sends(who, come(who))));
        rows.add(row("send, retained", "Whoever listens later hears it too.", this::retains));
        rows.add(row(SEND_EVENT, "It is stored.", this::sendsEvent));
        rows.add(
                row(
                        "send to a topic of the hub",
                        "What comes there is believed to come from the hub.",
                        who -> sendsTo(who, "brewcast/datastore/x")));
        rows.add(
                row(
                        "send to a topic of the broker",
                        "Commands to the broker.",
                        who -> sendsTo(who, "activemq.management")));
        rows.add(row("leave a will", "Others hear it when the client is gone.", this::leavesWill));
        rows.add(row(TAKE_OVER, ENDS, this::takesOver));
        rows.add(row("use a client id of the hub (millrace-…)", ENDS, this::takesOurs));
        rows.add(row("/eventbus: listen", "Hears what is sent.", this::listensByWebSocket));
        rows.add(row("/eventbus: send", "Others hear it.", this::sendsByWebSocket));
        neverHeard();
        rows.forEach(row -> System.out.println(row.line()));
        assertThat(wrong).isEmpty();
        Table.mustBeKept(WAY, rows);
    }

    // ---------------------------------------------------------------- listening

    private Cell connects(Who who) {
        try (Guest guest = come(who)) {
            return read(guest.welcome());
        }
    }

    private Cell listens(Who who) {
        try (Guest guest = come(who)) {
            return read(guest.listen("plant/#") && hears(guest));
        }
    }

    private boolean hears(Guest guest) {
        String mark = fresh("mark");
        assertThat(sender.send("plant/mark", mark)).isTrue();
        await().atMost(PATIENCE).until(() -> guest.heard().contains("plant/mark " + mark));
        return true;
    }

    private Cell stopsListening(Who who) {
        try (Guest guest = come(who)) {
            boolean done = guest.listen("plant/#") && guest.stopListening("plant/#");
            marked();
            return read(done);
        }
    }

    private Cell listensByWebSocket(Who who) {
        try (Guest guest = byWebSocket(who)) {
            return read(guest.listen("plant/#") && hears(guest));
        }
    }

    // ---------------------------------------------------------------- groups

    private Cell shares(Who who) {
        String filter = "$share/%s/plant/#".formatted(fresh("group"));
        try (Guest member = Guest.come(stage.mqttPort(), fresh("m"), stage.token(Who.ADMIN));
                Guest guest = come(who)) {
            assertThat(member.listen(filter)).isTrue();
            boolean granted = guest.listen(filter);
            sendSeveral("plant/shared");
            await().atMost(PATIENCE)
                    .until(() -> member.heard().size() + guest.heard().size() >= SEVERAL);
            if (granted == guest.heard().isEmpty()) {
                wrong.add("share as %s: %s".formatted(who.word(), guest.heard()));
            }
            return changed(granted);
        }
    }

    private void sendSeveral(String topic) {
        for (int i = 0; i < SEVERAL; i++) {
            assertThat(sender.send(topic, Integer.toString(i))).isTrue();
        }
    }

    private Cell sharesOurs(Who who) {
        long before = stored();
        try (Guest guest = come(who)) {
            boolean granted = guest.listen("$share/millrace-readings/edgex/events/#");
            boolean otherCase = guest.listen("$share/Millrace-Readings/edgex/events/#");
            for (int i = 0; i < SEVERAL; i++) {
                assertThat(sender.send("edgex/events/x", event(fresh("device")))).isTrue();
            }
            await().atMost(PATIENCE)
                    .until(() -> stored() - before + guest.heard().size() >= SEVERAL);
            return changed(granted || otherCase || !guest.heard().isEmpty());
        }
    }

    /** The group is another one: the client must not lose any. */
    private Cell sharesWithClient(Who who) {
        String id = fresh("victim");
        String victimToken = stage.hub().token(id, Role.VIEWER);
        try (Guest victim = Guest.come(stage.mqttPort(), id, Optional.of(victimToken));
                Guest guest = come(who)) {
            assertThat(victim.listen("plant/#")).isTrue();
            boolean granted = guest.listen("$share/%s/plant/#".formatted(id));
            sendSeveral("plant/own");
            marked();
            await().atMost(PATIENCE).until(() -> count(victim, "plant/own ") == SEVERAL);
            return read(granted);
        }
    }

    private static long count(Guest guest, String start) {
        return guest.heard().stream().filter(each -> each.startsWith(start)).count();
    }

    // ---------------------------------------------------------------- sending

    private Cell sends(Who who, Guest guest) {
        try (guest) {
            String body = fresh(who.word());
            boolean taken = guest.send("plant/sent", body);
            marked();
            boolean came = everywhere.heard().contains("plant/sent " + body);
            if (taken != came) {
                wrong.add("send as %s: taken %s, came %s".formatted(who, taken, came));
            }
            return changed(came);
        }
    }

    private Cell sendsByWebSocket(Who who) {
        return sends(who, byWebSocket(who));
    }

    private Guest byWebSocket(Who who) {
        return Guest.comeByWebSocket(stage.hub().url(), fresh(who.word()), stage.token(who));
    }

    private Cell retains(Who who) {
        String topic = "kept/" + who.word();
        try (Guest guest = come(who);
                Guest later = come(Who.ADMIN)) {
            var _ = guest.send(topic, "kept", true);
            // One that is there for sure comes after it, or instead of it.
            assertThat(sender.send("kept/zz", "mark", true)).isTrue();
            assertThat(later.listen(topic)).isTrue();
            assertThat(later.listen("kept/zz")).isTrue();
            await().atMost(PATIENCE).until(() -> later.heard().contains("kept/zz mark"));
            return changed(later.heard().contains(topic + " kept"));
        }
    }

    private static String event(String device) {
        return "{\"device\":\"%s\",\"readings\":[{\"name\":\"t\",\"value\":\"1\"}]}"
                .formatted(device);
    }

    private static long stored() {
        return Long.parseLong(stage.prepare("GET", "/api/v1/event/count", "").strip());
    }

    private Cell sendsEvent(Who who) {
        String device = fresh("device-" + who.word());
        String mark = fresh("device-mark");
        try (Guest guest = come(who)) {
            var _ = guest.send("edgex/events/x", event(device));
            assertThat(sender.send("edgex/events/x", event(mark))).isTrue();
            await().atMost(PATIENCE).until(() -> eventsOf(mark) == 1);
            return changed(eventsOf(device) == 1);
        }
    }

    private static long eventsOf(String device) {
        return Long.parseLong(stage.prepare("GET", "/api/v1/event/count/" + device, "").strip());
    }

    private Cell sendsTo(Who who, String topic) {
        try (Guest guest = come(who);
                Guest hearing = come(Who.ADMIN)) {
            boolean listening = hearing.listen(topic);
            boolean taken = guest.send(topic, "x");
            marked();
            return changed(taken || (listening && !hearing.heard().isEmpty()));
        }
    }

    private Cell leavesWill(Who who) {
        String body = fresh("will-" + who.word());
        Guest.leaveWill(stage.mqttPort(), fresh(who.word()), stage.token(who), "plant/will", body);
        if (!who.atLeast(Who.OPERATOR)) {
            // Whether it comes late is looked at when all is over.
            return changed(everywhere.heard().contains("plant/will " + body));
        }
        await().atMost(PATIENCE).until(() -> everywhere.heard().contains("plant/will " + body));
        return Cell.CHANGES;
    }

    /** What somebody sent who may not has not come later either. */
    private void neverHeard() {
        marked();
        for (Who who : List.of(Who.NOBODY, Who.VIEWER)) {
            for (String each : everywhere.heard()) {
                if (each.startsWith("plant/will will-" + who.word())
                        || each.startsWith("plant/sent " + who.word())) {
                    wrong.add("%s was heard: %s".formatted(who.word(), each));
                }
            }
        }
    }

    // ---------------------------------------------------------------- names

    private Cell takesOver(Who who) {
        String id = fresh("victim");
        Optional<String> token = Optional.of(stage.hub().token(id, Role.VIEWER));
        try (Guest victim = Guest.come(stage.mqttPort(), id, token)) {
            assertThat(victim.listen("plant/#")).isTrue();
            try (Guest guest = Guest.come(stage.mqttPort(), id, stage.token(who))) {
                marked();
                boolean harmless = !guest.welcome() && victim.connected();
                if (harmless) {
                    hears(victim);
                } else {
                    wrong.add("as %s the session of another token ends".formatted(who.word()));
                }
                return changed(!harmless);
            }
        }
    }

    private Cell takesOurs(Who who) {
        boolean welcome = false;
        for (String id : List.of("millrace-readings", "Millrace-Readings", "MILLRACE-x")) {
            try (Guest guest = Guest.come(stage.mqttPort(), id, stage.token(who))) {
                welcome |= guest.welcome();
            }
        }
        return changed(welcome);
    }
}
