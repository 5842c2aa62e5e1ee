package dev.millrace.hub.telemetry.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Live values and alarms by WebSocket, on a single server and in a cluster. */
@OnEachSite
class RealtimeTest {
    private final Site site;
    private TestHub hub;

    RealtimeTest(Site site) {
        this.site = site;
    }

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private void write(int channel, String values) {
        TestHub.Reply reply =
                hub.send(
                        "POST", "/api/channels/%d/T".formatted(channel), values.replace('\'', '"'));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private Ear open() {
        return Ear.open(hub.url());
    }

    /** What a client has seen last of the alarms of channel 1. */
    private String since(long number) {
        return site.cluster()
                ? "{'@%d':%d}".formatted(hub.keyspace().shard("1"), number)
                : Long.toString(number);
    }

    private static String subscribe(int channel, String more) {
        return "{'type':'subscribe','id':'s','data':{'channels':['%d']%s}}"
                .formatted(channel, more);
    }

    private static List<String> values(List<JsonNode> updates, int point) {
        List<String> values = new ArrayList<>();
        for (JsonNode update : updates) {
            for (JsonNode each : update.at("/data/values")) {
                if (each.path("point_id").asInt() == point) {
                    values.add(each.path("value").toString());
                }
            }
        }
        return values;
    }

    @Test
    void first_the_answer_then_what_there_is_then_what_changes() {
        write(1, "{'101':85.5,'102':1}");
        hub.send("POST", "/api/channels/1/S", "{\"10\":true}");
        try (Ear ear = open()) {
            ear.say(subscribe(1, ",'interval':0,'mode':'change'"));
            await().until(() -> ear.all("data_update").size() == 2);
            write(1, "{'101':86.2,'102':1}");
            write(1, "{'101':86.2}");
            write(1, "{'101':87}");
            await().until(() -> values(ear.all("data_update"), 101).contains("87"));
            assertThat(Ear.type(ear.heard.getFirst())).isEqualTo("subscribe_ack");
            JsonNode ack = ear.heard.getFirst().path("data");
            assertThat(ack.path("request_id").asString()).isEqualTo("s");
            assertThat(ack.path("subscribed").toString()).isEqualTo("[\"1\"]");
            assertThat(ack.path("failed").size()).isZero();
            assertThat(ack.path("total").asInt()).isEqualTo(1);
            JsonNode first = ear.heard.get(1);
            assertThat(first.path("id").asString()).isNotEmpty();
            assertThat(Instant.parse(first.path("timestamp").asString())).isNotNull();
            assertThat(first.at("/data/channel_id").asInt()).isEqualTo(1);
            assertThat(first.at("/data/data_type").asString()).isEqualTo("T");
            JsonNode point = first.at("/data/values/0");
            assertThat(point.path("point_id").asInt()).isEqualTo(101);
            assertThat(point.path("value").asDouble()).isEqualTo(85.5);
            assertThat(point.path("quality").asString()).isEqualTo("good");
            assertThat(Instant.parse(point.path("timestamp").asString())).isNotNull();
            assertThat(ear.heard.get(2).at("/data/data_type").asString()).isEqualTo("S");
            List<JsonNode> updates = ear.all("data_update");
            assertThat(values(updates, 101)).containsExactly("85.5", "86.2", "87");
            // What was written again without another value has not changed.
            assertThat(values(updates, 102)).containsExactly("1");
        }
    }

    @Test
    void the_modes_tell_more_or_less() {
        write(1, "{'101':1,'102':2}");
        try (Ear all = open();
                Ear delta = open();
                Ear signals = open()) {
            all.say(subscribe(1, ",'interval':0"));
            delta.say(subscribe(1, ",'interval':0,'mode':'delta'"));
            signals.say(subscribe(1, ",'interval':0,'data_types':['S']"));
            all.next("data_update");
            delta.next("data_update");
            signals.next("subscribe_ack");
            write(1, "{'102':3}");
            await().until(() -> all.all("data_update").size() == 2);
            assertThat(all.all("data_update").get(1).at("/data/values").size()).isEqualTo(2);
            JsonNode change = delta.next("delta_update").at("/data/changes/0");
            assertThat(change.path("point_id").asInt()).isEqualTo(102);
            assertThat(change.path("old_value").asInt()).isEqualTo(2);
            assertThat(change.path("new_value").asInt()).isEqualTo(3);
            signals.settle();
            assertThat(signals.all("data_update")).isEmpty();
        }
    }

    @Test
    void whoever_comes_in_the_middle_misses_nothing_and_hears_nothing_old() throws Exception {
        write(1, "{'101':0}");
        AtomicBoolean done = new AtomicBoolean();
        List<Ear> ears = new ArrayList<>();
        int last = 300;
        Thread writer =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 1; i <= last; i++) {
                                        write(1, "{'101':%d}".formatted(i));
                                    }
                                    done.set(true);
                                });
        while (!done.get() && ears.size() < 40) {
            Ear ear = open();
            ear.say(subscribe(1, ",'interval':0,'mode':'change','data_types':['T']"));
            ears.add(ear);
        }
        writer.join();
        for (Ear ear : ears) {
            await().until(() -> values(ear.all("data_update"), 101).contains("" + last));
            List<Integer> seen =
                    values(ear.all("data_update"), 101).stream().map(Integer::valueOf).toList();
            for (int i = 1; i < seen.size(); i++) {
                assertThat(seen.get(i)).as(seen.toString()).isEqualTo(seen.get(i - 1) + 1);
            }
            ear.close();
        }
    }

    @Test
    void within_the_interval_only_the_newest_is_kept() {
        write(1, "{'101':0,'102':0}");
        try (Ear ear = open()) {
            ear.say(subscribe(1, ",'interval':300,'mode':'delta'"));
            ear.next("data_update");
            for (int i = 1; i <= 40; i++) {
                write(1, "{'%d':%d}".formatted(101 + i % 2, i));
            }
            await().until(
                            () ->
                                    ear.all("delta_update").stream()
                                            .anyMatch(
                                                    each ->
                                                            each.toString()
                                                                    .contains("\"new_value\":40")));
            List<JsonNode> updates = ear.all("delta_update");
            for (int i = 1; i < updates.size(); i++) {
                long before =
                        Instant.parse(updates.get(i - 1).path("timestamp").asString())
                                .toEpochMilli();
                long now =
                        Instant.parse(updates.get(i).path("timestamp").asString()).toEpochMilli();
                assertThat(now - before).isGreaterThanOrEqualTo(280);
            }
            // Each step begins where the one before ended, whatever was left out.
            int[] at = {0, 0};
            for (JsonNode update : updates) {
                for (JsonNode change : update.at("/data/changes")) {
                    int which = change.path("point_id").asInt() - 101;
                    assertThat(change.path("old_value").asInt()).isEqualTo(at[which]);
                    at[which] = change.path("new_value").asInt();
                }
            }
            assertThat(at).containsExactly(40, 39);
        }
    }

    @Test
    void what_is_no_longer_wanted_is_no_longer_told() {
        write(1, "{'101':1}");
        write(2, "{'101':1}");
        try (Ear ear = open()) {
            JsonNode ack =
                    ear.ask(
                            "{'type':'subscribe','id':7,'data':{'channels':[1,'2','3','x',"
                                    + "{'channel_id':2}],'interval':0,'mode':'change'}}");
            assertThat(ack.at("/data/request_id").asString()).isEqualTo("7");
            assertThat(ack.at("/data/total").asInt()).isEqualTo(2);
            assertThat(ack.at("/data/failed").size()).isEqualTo(2);
            assertThat(ack.at("/data/failed/0/code").asString()).isEqualTo("CHANNEL_NOT_FOUND");
            assertThat(ear.next("error").at("/data/code").asString())
                    .isEqualTo("CHANNEL_NOT_FOUND");
            JsonNode left = ear.ask("{'type':'unsubscribe','id':'u','data':{'channels':['1']}}");
            assertThat(Ear.type(left)).isEqualTo("unsubscribe_ack");
            assertThat(left.at("/data/total").asInt()).isEqualTo(1);
            int from = ear.heard.size();
            write(1, "{'101':2}");
            write(2, "{'101':2}");
            ear.next(from, each -> each.at("/data/channel_id").asInt(0) == 2);
            assertThat(ear.heard.subList(from, ear.heard.size()))
                    .noneMatch(each -> each.at("/data/channel_id").asInt(0) == 1);
        }
    }

    @Test
    void a_channel_that_falls_silent_takes_its_values_with_it() {
        hub.close();
        hub = TestHub.start(site.url(), "telemetry.offline-after=1s");
        write(1, "{'101':1}");
        try (Ear ear = open()) {
            ear.say(subscribe(1, ",'interval':0,'mode':'change'"));
            ear.next(0, each -> each.at("/data/values/0/quality").asString("").equals("offline"));
        }
    }

    @Test
    void an_alarm_is_told_with_its_instance_and_its_number_and_once_more_to_who_missed_it() {
        write(1, "{'101':1}");
        hub.send(
                "POST",
                "/api/alarm-rules",
                "{\"id\":\"hot\",\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"operator\":\">\","
                    + "\"threshold\":85,\"alarm_level\":\"Major\",\"category\":\"temp\"}");
        long number;
        try (Ear ear = open();
                Ear other = open()) {
            JsonNode ack = ear.ask("{'type':'subscribe','id':'a','data':{'source':'alarm'}}");
            assertThat(ack.at("/data/subscribed").toString()).isEqualTo("[\"*\"]");
            assertThat(ack.at("/data/active").size()).isZero();
            other.ask("{'type':'subscribe_alarms','data':{'levels':['Info']}}");
            write(1, "{'101':90}");
            JsonNode told = ear.next("alarm");
            assertThat(told.at("/data/event_type").asString()).isEqualTo("triggered");
            assertThat(told.at("/data/alarm/rule_id").asString()).isEqualTo("hot");
            assertThat(told.at("/data/alarm/status").asString()).isEqualTo("active");
            assertThat(told.at("/data/alarm/trigger_value").asInt()).isEqualTo(90);
            number = told.at("/data/seq").asLong();
            assertThat(number).isPositive();
            other.settle();
            assertThat(other.all("alarm_event")).isEmpty();
        }
        write(1, "{'101':80}");
        write(1, "{'101':91}");
        try (Ear ear = open()) {
            JsonNode ack =
                    ear.ask(
                            "{'type':'subscribe_alarms','data':{'levels':['major'],'channels':['1'],"
                                    + "'since_seq':%s}}".formatted(since(number)));
            assertThat(ack.at("/data/gap").asInt()).isZero();
            assertThat(ack.at("/data/active/0/rule_id").asString()).isEqualTo("hot");
            write(1, "{'101':70}");
            await().until(() -> ear.all("alarm_event").size() == 3);
            assertThat(ear.all("alarm_event"))
                    .extracting(each -> each.at("/data/event_type").asString())
                    .containsExactly("cleared", "triggered", "cleared");
            assertThat(ear.all("alarm_event"))
                    .extracting(each -> each.at("/data/seq").asLong())
                    .containsExactly(number + 1, number + 2, number + 3);
        }
    }

    @Test
    void what_has_gone_from_the_log_is_said_to_be_missing() {
        hub.send(
                "POST",
                "/api/alarm-rules",
                "{\"id\":\"hot\",\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"operator\":\">\","
                    + "\"threshold\":85}");
        for (int value : new int[] {90, 80, 91, 81}) {
            write(1, "{'101':%d}".formatted(value));
        }
        String log =
                site.allKeys().stream()
                        .filter(key -> key.endsWith("alarm:events"))
                        .findFirst()
                        .orElseThrow();
        long newest =
                Json.MAPPER
                        .readTree(String.valueOf(site.command(log, "LINDEX", log, "0")))
                        .path("seq")
                        .asLong();
        site.command(log, "LTRIM", log, "0", "1");
        try (Ear ear = open()) {
            JsonNode ack =
                    ear.ask(
                            "{'type':'subscribe','data':{'source':'alarm','since_seq':%s}}"
                                    .formatted(since(newest - 3)));
            assertThat(ack.at("/data/gap").asInt()).isEqualTo(1);
            await().until(() -> ear.all("alarm").size() == 2);
            assertThat(ear.all("alarm"))
                    .extracting(each -> each.at("/data/seq").asLong())
                    .containsExactly(newest - 1, newest);
        }
    }

    @Test
    void a_model_says_its_values_and_then_those_that_change() {
        write(1, "{'101':20,'102':4}");
        String model =
                """
                {"name":"x","mappings":{"measurement":{
                   "temperature":{"channel":1,"point_id":101},
                   "pressure":{"channel":1,"point_id":102}},"action":{}}}
                """;
        hub.send("PUT", "/api/models/boiler", model);
        hub.send("PUT", "/api/models/spare", model);
        try (Ear ear = open();
                Ear other = open()) {
            assertThat(
                            other.ask(
                                            "{'type':'subscribe_models','data':{'models':['boiler'],"
                                                + "'fields':['pressure']}}")
                                    .at("/data/total")
                                    .asInt())
                    .isEqualTo(1);
            JsonNode ack =
                    ear.ask(
                            "{'type':'subscribe','id':'m','data':{'source':'model','channels':['boiler']}}");
            assertThat(Ear.type(ack)).as(ack.toString()).isEqualTo("subscribe_ack");
            JsonNode first = ear.next("model_update");
            assertThat(first.at("/data/model_id").asString()).isEqualTo("boiler");
            assertThat(first.at("/data/values").toString())
                    .contains("\"temperature\":20")
                    .contains("\"pressure\":4");
            write(1, "{'101':21}");
            write(1, "{'102':5}");
            await().until(
                            () ->
                                    ear.all("model_update")
                                            .getLast()
                                            .at("/data/values")
                                            .toString()
                                            .equals("{\"pressure\":5}"));
            assertThat(ear.all("model_update"))
                    .extracting(each -> each.at("/data/model_id").asString())
                    .containsOnly("boiler");
            await().until(() -> other.all("model_update").size() == 2);
            assertThat(other.all("model_update").getLast().at("/data/values").toString())
                    .as("what changed besides is not for this one")
                    .isEqualTo("{\"pressure\":5}");

            ear.ask("{'type':'unsubscribe','data':{'source':'model','channels':['boiler']}}");
            int told = ear.all("model_update").size();
            write(1, "{'102':6}");
            await().until(() -> other.all("model_update").size() == 3);
            ear.settle();
            assertThat(ear.all("model_update")).hasSize(told);
        }
    }

    @Test
    void what_happens_at_the_site_is_told_by_the_name_of_its_kind() {
        try (Ear ear = open();
                Ear some = open()) {
            JsonNode ack = ear.ask("{'type':'subscribe_events'}");
            assertThat(Ear.type(ack)).as(ack.toString()).isEqualTo("subscribe_ack");
            some.ask("{'type':'subscribe_events','data':{'events':['channel']}}");
            hub.send("POST", "/api/queues/notification", "{\"text\":\"filter is due\"}");
            JsonNode said = ear.next("system_notification");
            assertThat(said.at("/data/event").asString()).isEqualTo("notification");
            assertThat(said.at("/data/text").asString()).isEqualTo("filter is due");
            assertThat(said.at("/data/seq").asLong()).isEqualTo(1);

            write(1, "{'101':1}");
            JsonNode online = some.next("device_status");
            assertThat(online.at("/data/type").asString()).isEqualTo("online");
            assertThat(online.at("/data/channel_id").asInt()).isEqualTo(1);
            assertThat(online.at("/data/log").asString()).startsWith("channel");
            some.settle();
            assertThat(some.all("system_notification")).isEmpty();
            ear.next("device_status");
        }
        hub.send("POST", "/api/queues/notification", "{\"text\":\"filter is changed\"}");
        try (Ear ear = open()) {
            String log =
                    site.cluster()
                            ? "notification@" + hub.keyspace().shard(Declaration.SITE)
                            : "notification";
            JsonNode ack =
                    ear.ask(
                            "{'type':'subscribe','data':{'source':'event','since_seq':{'%s':1}}}"
                                    .formatted(log));
            assertThat(ack.at("/data/gap").asInt()).isZero();
            assertThat(ear.next("system_notification").at("/data/text").asString())
                    .isEqualTo("filter is changed");
        }
    }

    @Test
    void an_order_is_answered_when_it_is_accepted_and_when_it_has_ended() {
        hub.send(
                "POST",
                "/api/channels",
                "{\"id\":1,\"protocol\":\"modbus_tcp\",\"enabled\":false,"
                        + "\"points\":{\"C\":[{\"point_id\":201}]}}");
        try (Ear ear = open()) {
            String order =
                    "{'type':'control','id':'c1','data':{'channel_id':'1','point_id':201,"
                        + "'command_type':'set_value','value':1,'queue':true,'command_id':'mine',"
                        + "'reason':'test'}}";
            JsonNode first = ear.ask(order);
            assertThat(Ear.type(first)).as(first.toString()).isEqualTo("control_ack");
            assertThat(first.at("/data/request_id").asString()).isEqualTo("c1");
            assertThat(first.at("/data/status").asString()).isEqualTo("pending");
            assertThat(first.at("/data/command_id").asString()).isEqualTo("mine");
            assertThat(hub.send("POST", "/api/commands/mine/cancel", "").status()).isEqualTo(200);
            await().until(() -> ear.all("control_ack").size() == 2);
            JsonNode last = ear.all("control_ack").get(1).path("data");
            assertThat(last.path("status").asString()).isEqualTo("failed");
            assertThat(last.at("/result/success").asBoolean(true)).isFalse();
            assertThat(last.at("/result/error").asString()).isEqualTo("CANCELLED");
            // The very same again is the one that was.
            assertThat(ear.ask(order).at("/data/status").asString()).isEqualTo("failed");
            for (String row :
                    List.of(
                            "{'channel_id':9,'point_id':201,'value':1}|CHANNEL_NOT_FOUND",
                            "{'channel_id':'x','point_id':201,'value':1}|CHANNEL_NOT_FOUND",
                            "{'channel_id':1,'point_id':202,'value':1}|POINT_NOT_FOUND",
                            "{'channel_id':1,'point_id':201,'value':'on'}|VALIDATION_ERROR",
                            "{'channel_id':1,'point_id':201,'value':0,'queue':true,"
                                    + "'command_id':'mine'}|COMMAND_CONFLICT")) {
                String[] parts = row.split("\\|", -1);
                JsonNode answer =
                        ear.ask("{'type':'control','id':'x','data':%s}".formatted(parts[0]));
                assertThat(answer.at("/data/code").asString()).as(row).isEqualTo(parts[1]);
            }
        }
    }

    @Test
    void the_past_is_told_as_by_rest() {
        String samples =
                "{'samples':[{'source':'comsrv','id':1,'field':'101','ts':%d,'value':1.5},{'source':'comsrv','id':1,'field':'101','ts':%d,'value':'open'},{'source':'comsrv','id':1,'field':'101','ts':%d,'value':3}]}";
        long begin = System.currentTimeMillis() - 60_000;
        hub.send(
                "POST",
                "/api/history/samples",
                samples.formatted(begin, begin + 10, begin + 20).replace('\'', '"'));
        String asked =
                "{'type':'get_history','id':'h','data':{'source':'comsrv','id':1,'field':'101','start':%d,'end':%d%s}}";
        String rest = "/api/history/comsrv/1/101?start=%d&end=%d%s";
        long end = begin + 1000;
        try (Ear ear = open()) {
            for (String more : List.of("", "limit=2", "order=desc&limit=1", "aggregation=max")) {
                StringBuilder members = new StringBuilder();
                for (String each : more.isEmpty() ? new String[0] : more.split("&", -1)) {
                    String[] parts = each.split("=", -1);
                    members.append(",'%s':'%s'".formatted(parts[0], parts[1]));
                }
                JsonNode told = ear.ask(asked.formatted(begin, end, members));
                assertThat(Ear.type(told)).as(told.toString()).isEqualTo("history_data");
                assertThat(told.at("/data/request_id").asString()).isEqualTo("h");
                JsonNode same =
                        hub.get(rest.formatted(begin, end, more.isEmpty() ? "" : "&" + more))
                                .json()
                                .path("data");
                assertThat(same.path("samples").size()).as(more).isPositive();
                for (String each : List.of("source", "field", "samples", "next", "aggregation")) {
                    assertThat(told.path("data").path(each)).as(each).isEqualTo(same.path(each));
                }
            }
            JsonNode part = ear.ask(asked.formatted(begin, end, ",'limit':2"));
            assertThat(part.at("/data/samples").size()).isEqualTo(2);
            String next = part.at("/data/next").asString("");
            JsonNode rest2 = ear.ask(asked.formatted(Long.parseLong(next), end, ""));
            assertThat(rest2.at("/data/samples/0/value").asInt()).isEqualTo(3);
            assertThat(rest2.path("data").has("next")).isFalse();
        }
    }

    @Test
    void what_two_hubs_write_everybody_hears() {
        write(1, "{'101':1}");
        try (TestHub other = TestHub.start(site.url());
                Ear ear = Ear.open(other.url())) {
            ear.say(subscribe(1, ",'interval':0,'mode':'change'"));
            ear.next("data_update");
            write(1, "{'101':2}");
            await().until(() -> values(ear.all("data_update"), 101).contains("2"));
        }
    }
}
