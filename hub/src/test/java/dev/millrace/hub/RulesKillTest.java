package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.bus.modbus.LibraryDevice;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The hub that runs rules is killed; another one goes on where it was. */
class RulesKillTest {
    private static final int VALUES = Boolean.getBoolean("millrace.full") ? 600 : 100;

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    private static JsonNode send(
            Millrace hub, HttpClient client, String method, String path, String body) {
        String url = String.valueOf(hub.url()).replaceAll("/$", "");
        TestHub.Reply reply =
                TestHub.send(url, client, method, path, body.replace('\'', '"'), Optional.empty());
        assertThat(reply.status()).as(path + ": " + reply.body()).isBetween(200, 202);
        return reply.json().path("data");
    }

    private static List<JsonNode> records(TestServer server, String id) {
        List<JsonNode> all = new ArrayList<>();
        for (Object each : (List<?>) server.command("LRANGE", "rule:execution:" + id, "0", "-1")) {
            all.add(Json.MAPPER.readTree(String.valueOf(each)));
        }
        return all.reversed();
    }

    @Test
    void each_value_is_one_execution_and_no_device_is_operated_twice() throws Exception {
        try (TestServer server = TestServer.start();
                LibraryDevice device = LibraryDevice.start();
                HttpClient client = HttpClient.newHttpClient();
                Millrace one = hub(server);
                Millrace other = hub(server)) {
            send(
                    one,
                    client,
                    "POST",
                    "/api/channels",
                    "{'id':5,'name':'Inverter','protocol':'Modbus-TCP','points':{'A':[{'point_id':1,'mapping':{'register_address':20}}]},"
                            + "'parameters':{'host':'localhost','port':%d,'polling_interval_ms':100,'offline_after':600}}"
                                    .formatted(device.port()));
            send(
                    one,
                    client,
                    "POST",
                    "/api/rules",
                    "{'id':'r','trigger':'data_change','condition':{'source':'comsrv:1:T:1','operator':'>','value':0},'inputs':{'v':'comsrv:1:T:1'},"
                        + "'actions':[{'type':'adjustment','channel_id':5,'point_id':1,'value':'v','queue':true}]}");
            await().until(() -> runsRules(one, client) || runsRules(other, client));
            Millrace victim = runsRules(one, client) ? one : other;
            Millrace survivor = victim == one ? other : one;
            for (int i = 1; i <= VALUES; i++) {
                if (i == VALUES / 2) {
                    victim.signal("KILL").end();
                }
                send(survivor, client, "POST", "/api/channels/1/T", "{'1':" + i + "}");
            }
            await().until(() -> records(server, "r").size() >= VALUES);
            List<JsonNode> records = records(server, "r");
            assertThat(records.stream().map(each -> each.at("/actions_executed/0/value").asInt()))
                    .doesNotHaveDuplicates()
                    .hasSize(VALUES);
            for (JsonNode each : records) {
                String command = each.at("/actions_executed/0/cmd_id").asString("");
                assertThat(command).isEqualTo(each.path("execution_id").asString() + "-1");
                await().until(() -> hasEnded(survivor, client, command));
            }
            List<String> heard = List.copyOf(device.writes());
            assertThat(heard).isNotEmpty().doesNotHaveDuplicates();
            for (JsonNode each : records) {
                JsonNode command = command(survivor, client, each);
                if (command.path("status").asString().equals("completed")) {
                    assertThat(heard)
                            .contains("20=" + each.at("/actions_executed/0/value").asInt());
                }
            }
        }
    }

    private static boolean runsRules(Millrace hub, HttpClient client) {
        return send(hub, client, "GET", "/api/scheduler/status", "").path("runs_here").asBoolean();
    }

    private static JsonNode command(Millrace hub, HttpClient client, JsonNode each) {
        return send(
                hub,
                client,
                "GET",
                "/api/commands/" + each.at("/actions_executed/0/cmd_id").asString(),
                "");
    }

    private static boolean hasEnded(Millrace hub, HttpClient client, String command) {
        String status =
                send(hub, client, "GET", "/api/commands/" + command, "").path("status").asString();
        return !status.equals("pending") && !status.equals("executing");
    }

    @Test
    void a_rest_and_a_duration_outlive_the_hub_and_both_say_whether_a_rule_is_enabled()
            throws Exception {
        try (TestServer server = TestServer.start();
                HttpClient client = HttpClient.newHttpClient()) {
            long began;
            try (Millrace victim = hub(server)) {
                send(victim, client, "POST", "/api/channels/1/T", "{'1':0,'2':0}");
                send(
                        victim,
                        client,
                        "POST",
                        "/api/rules",
                        "{'id':'rests','trigger':'data_change','condition':{'source':'comsrv:1:T:1','operator':'>','value':0},'cooldown':3600,'actions':[{'type':'log'}]}");
                send(
                        victim,
                        client,
                        "POST",
                        "/api/rules",
                        "{'id':'lasts','condition':{'source':'comsrv:1:T:2','operator':'>','value':0,'duration':5},'trigger_mode':'edge','actions':[{'type':'log'}]}");
                send(
                        victim,
                        client,
                        "POST",
                        "/api/rules",
                        "{'id':'often','trigger':'manual','condition':'true','actions':[{'type':'log'}]}");
                send(victim, client, "POST", "/api/channels/1/T", "{'1':1,'2':1}");
                await().until(() -> records(server, "rests").size() == 1);
                await().until(
                                () ->
                                        String.valueOf(
                                                        server.command(
                                                                "GET", "rulesrv:memory:lasts"))
                                                .contains("since"));
                began =
                        Json.MAPPER
                                .readTree(
                                        String.valueOf(
                                                server.command("GET", "rulesrv:memory:lasts")))
                                .path("since")
                                .values()
                                .iterator()
                                .next()
                                .asLong();
                AtomicBoolean ended = new AtomicBoolean();
                Thread toggling = Thread.ofVirtual().start(() -> toggle(victim, client, ended));
                await().until(() -> status(server).equals("disabled"));
                victim.signal("KILL").end();
                ended.set(true);
                toggling.join();
            }
            boolean says = document(server).path("enabled").asBoolean();
            assertThat(says ? "enabled" : "disabled").isEqualTo(status(server));
            try (Millrace next = hub(server)) {
                await().until(() -> records(server, "lasts").size() == 1);
                JsonNode record = records(server, "lasts").getFirst();
                long held = record.at("/trace/0/held_ms").asLong();
                assertThat(held).isGreaterThanOrEqualTo(5000);
                assertThat(Instant.parse(record.path("timestamp").asString()).toEpochMilli() - held)
                        .isEqualTo(began);
                send(next, client, "POST", "/api/channels/1/T", "{'1':2}");
                await().until(
                                () ->
                                        "1"
                                                .equals(
                                                        server.command(
                                                                "HGET",
                                                                "rule:statistics",
                                                                "skipped_cooldown")));
                assertThat(records(server, "rests")).hasSize(1);
            }
        }
    }

    private static void toggle(Millrace hub, HttpClient client, AtomicBoolean ended) {
        String url = String.valueOf(hub.url()).replaceAll("/$", "");
        try {
            while (!ended.get()) {
                for (String way : List.of("disable", "enable")) {
                    TestHub.send(
                            url, client, "POST", "/api/rules/often/" + way, "{}", Optional.empty());
                }
            }
        } catch (RuntimeException | AssertionError e) {
            // It was killed meanwhile.
            ended.set(true);
        }
    }

    private static String status(TestServer server) {
        return String.valueOf(server.command("HGET", "rule:status", "often"));
    }

    private static JsonNode document(TestServer server) {
        return Json.MAPPER.readTree(String.valueOf(server.command("GET", "rule:often")));
    }
}
