package dev.millrace.hub.telemetry.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.hub.http.server.RawTalk;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Who may do what on {@code /ws}, how much of it, and how it ends. */
class RealtimeLimitsTest {
    private static final TestServer SERVER = SharedServers.standalone();

    @BeforeEach
    void empty() {
        SERVER.flushAll();
    }

    private static TestHub open(String... settings) {
        return TestHub.start(SERVER.url(), settings);
    }

    private static double figure(TestHub hub, String name) {
        return hub.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** What is said | the type of the answer | its code, where it is an error. */
    @Test
    void what_is_said_and_what_is_answered() {
        try (TestHub hub = open();
                Ear ear = Ear.open(hub.url())) {
            hub.send("POST", "/api/channels/1/T", "{\"101\":1}");
            for (String row :
                    """
                    {'type':'ping','id':'p'}|pong|
                    {|error|INVALID_JSON
                    []|error|INVALID_JSON
                    'text'|error|INVALID_JSON
                    {}|error|UNKNOWN_TYPE
                    {'type':'dance'}|error|UNKNOWN_TYPE
                    {'type':5}|error|UNKNOWN_TYPE
                    {'type':'auth','data':{'token':'Bearer x'}}|auth_response|
                    {'type':'subscribe'}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':'1'}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':[]}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'interval':-1}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'interval':1.5}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'interval':'x'}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'mode':'all'}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'data_types':['X']}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'data_types':[]}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'source':'moon'}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['1'],'source':5}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'source':'alarm','since_seq':'x'}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'source':'alarm','since_seq':-1}}|error|INVALID_PARAMETER
                    {'type':'subscribe','data':{'channels':['7']}}|subscribe_ack|
                    {'type':'subscribe','data':{'channels':['1']}}|subscribe_ack|
                    {'type':'subscribe_batch','data':{'mode':'channel','channels':['1']}}|subscribe_ack|
                    {'type':'subscribe_batch','data':{'mode':'device','devices':['1']}}|subscribe_ack|
                    {'type':'subscribe_batch','data':{'mode':'area','areas':['x']}}|subscribe_ack|
                    {'type':'subscribe_batch','data':{'mode':'alarm'}}|subscribe_ack|
                    {'type':'subscribe_batch','data':{'mode':'x'}}|error|INVALID_PARAMETER
                    {'type':'subscribe_alarms','data':{'levels':['Major']}}|subscribe_ack|
                    {'type':'subscribe_alarms','data':{'levels':'Major'}}|error|INVALID_PARAMETER
                    {'type':'unsubscribe','data':{'channels':['1']}}|unsubscribe_ack|
                    {'type':'unsubscribe','data':{'source':'alarm'}}|unsubscribe_ack|
                    {'type':'unsubscribe'}|unsubscribe_ack|
                    {'type':'get_data','data':{'channels':['1']}}|data_batch|
                    {'type':'get_data','data':{'channel_id':1,'data_types':['S']}}|data_batch|
                    {'type':'get_data','data':{'channels':['9']}}|error|CHANNEL_NOT_FOUND
                    {'type':'get_history','data':{'source':'comsrv','id':1,'field':'101'}}|history_data|
                    {'type':'get_history','data':{'source':'comsrv','id':'9','field':'S.1'}}|history_data|
                    {'type':'get_history'}|error|INVALID_PARAMETER
                    {'type':'get_history','data':{'source':'comsrv','id':'x','field':'1'}}|error|INVALID_PARAMETER
                    {'type':'get_history','data':{'source':'comsrv','id':1,'field':'1','limit':100001}}|error|INVALID_PARAMETER
                    {'type':'get_history','data':{'source':'comsrv','id':1,'field':'1','start':[]}}|error|INVALID_PARAMETER
                    {'type':'get_history','data':{'source':'comsrv','id':1,'field':'1','start':1000,'end':2000000000}}|error|RANGE_TOO_LARGE
                    """
                            .lines()
                            .toList()) {
                String[] parts = row.split("\\|", -1);
                ear.settle();
                JsonNode answer = ear.ask(parts[0]);
                assertThat(Ear.type(answer)).as(row + ": " + answer).isEqualTo(parts[1]);
                assertThat(answer.at("/data/code").asString("")).as(row).isEqualTo(parts[2]);
            }
            assertThat(ear.closeCode).isZero();
        }
    }

    @Test
    void whoever_says_nothing_good_of_itself_is_sent_away() {
        try (TestHub hub = open("access.mode=token", "telemetry.realtime.sign-in-time-out=1s")) {
            String viewer = hub.token("viewer", Role.VIEWER);
            String alarms = hub.token("alarms", Role.VIEWER, Scope.parse("alarms"));
            String elsewhere = hub.token("elsewhere", Role.ADMIN, Scope.parse("documents"));
            for (String row :
                    """
                    /ws|wait|4001
                    /ws|{'type':'auth','data':{'token':'Bearer wrong'}}|4001
                    /ws|{'type':'auth','data':{'token':'Bearer ELSEWHERE'}}|4002
                    /ws?token=wrong|wait|4001
                    /ws?token=ELSEWHERE|wait|4002
                    /ws/v1/realtime?token=wrong&client_type=web|wait|4001
                    """
                            .lines()
                            .toList()) {
                String[] parts = row.replace("ELSEWHERE", elsewhere).split("\\|", -1);
                try (Ear ear = Ear.at(hub.url(), parts[0])) {
                    if (!parts[1].equals("wait")) {
                        assertThat(ear.ask(parts[1]).at("/data/success").asBoolean()).isFalse();
                    }
                    assertThat(ear.awaitEnd()).as(row).isEqualTo(Integer.parseInt(parts[2]));
                }
            }
            hub.send(
                    "POST",
                    "/api/channels/1/T",
                    "{\"1\":1}",
                    Optional.of(hub.token("o", Role.OPERATOR)));
            String points = "{'type':'subscribe','data':{'channels':['1']}}";
            try (Ear ear = Ear.open(hub.url())) {
                assertThat(ear.ask(points).at("/data/code").asString()).isEqualTo("AUTH_FAILED");
                JsonNode answer =
                        ear.ask("{'type':'auth','data':{'token':'Bearer %s'}}".formatted(viewer));
                assertThat(answer.at("/data/success").asBoolean()).isTrue();
                assertThat(answer.at("/data/user_id").asString()).isEqualTo("viewer");
                assertThat(ear.ask(points).at("/data/total").asInt()).isEqualTo(1);
                assertThat(
                                ear.ask("{'type':'control','data':{'channel_id':1}}")
                                        .at("/data/code")
                                        .asString())
                        .isEqualTo("PERMISSION_DENIED");
            }
            try (Ear ear = Ear.at(hub.url(), "/ws/v1/realtime?token=" + alarms)) {
                assertThat(ear.next("connection_established").at("/data/client_id").asString())
                        .isNotEmpty();
                assertThat(ear.ask(points).at("/data/code").asString())
                        .isEqualTo("PERMISSION_DENIED");
                JsonNode past =
                        ear.ask(
                                "{'type':'get_history','id':'h','data':{'source':'comsrv','id':1,'field':'1'}}");
                assertThat(past.at("/data/code").asString()).isEqualTo("PERMISSION_DENIED");
                assertThat(past.at("/data/request_id").asString()).isEqualTo("h");
                assertThat(Ear.type(ear.ask("{'type':'subscribe_alarms'}")))
                        .isEqualTo("subscribe_ack");
                // Longer than it had to say who it is; the connection stays.
                ear.settle();
            }
        }
    }

    @Test
    void who_may_only_read_the_past_may_ask_for_that() {
        try (TestHub hub = open("access.mode=token")) {
            String past = hub.token("past", Role.VIEWER, Scope.parse("history"));
            try (Ear ear = Ear.at(hub.url(), "/ws?token=" + past)) {
                JsonNode answer =
                        ear.ask(
                                "{'type':'get_history','data':{'source':'comsrv','id':1,'field':'1'}}");
                assertThat(Ear.type(answer)).as(answer.toString()).isEqualTo("history_data");
                assertThat(
                                ear.ask("{'type':'get_data','data':{'channels':['1']}}")
                                        .at("/data/code")
                                        .asString())
                        .isEqualTo("PERMISSION_DENIED");
            }
        }
    }

    @Test
    void a_token_that_is_revoked_ends_its_connections() {
        try (TestHub hub = open("access.mode=token")) {
            String admin = hub.token("admin", Role.ADMIN);
            String viewer = hub.token("viewer", Role.VIEWER);
            try (Ear ear = Ear.at(hub.url(), "/ws?token=" + viewer)) {
                ear.settle();
                String id = viewer.split("_", -1)[1].split("\\.", -1)[0];
                var list = hub.send("GET", "/ops/tokens", "", Optional.of(admin)).json();
                String found = id;
                for (JsonNode each : list.findValues("id")) {
                    if (viewer.contains(each.asString())) {
                        found = each.asString();
                    }
                }
                assertThat(
                                hub.send("DELETE", "/ops/tokens/" + found, "", Optional.of(admin))
                                        .status())
                        .isLessThan(300);
                assertThat(ear.awaitEnd()).isEqualTo(4001);
            }
        }
    }

    @Test
    void a_client_has_a_hundred_subscriptions_and_not_one_more() {
        try (TestHub hub = open();
                Ear ear = Ear.open(hub.url())) {
            String batch =
                    IntStream.rangeClosed(1, 101)
                            .mapToObj("\"%d\":{\"T\":{\"1\":1}}"::formatted)
                            .collect(Collectors.joining(",", "{", "}"));
            hub.send("POST", "/api/telemetry/batch", batch);
            String channels =
                    IntStream.rangeClosed(1, 101)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(","));
            JsonNode ack =
                    ear.ask(
                            "{'type':'subscribe','id':'x','data':{'channels':[%s]}}"
                                    .formatted(channels));
            assertThat(ack.at("/data/subscribed").size()).isEqualTo(100);
            assertThat(ack.at("/data/total").asInt()).isEqualTo(100);
            assertThat(ack.at("/data/failed/0/channel").asInt()).isEqualTo(101);
            assertThat(ack.at("/data/failed/0/code").asString()).isEqualTo("SUBSCRIPTION_LIMIT");
            JsonNode error = ear.next("error");
            assertThat(error.at("/data/code").asString()).isEqualTo("SUBSCRIPTION_LIMIT");
            assertThat(error.at("/data/request_id").asString()).isEqualTo("x");
            // One that it has already may be asked for anew.
            assertThat(
                            ear.ask("{'type':'subscribe','data':{'channels':[5]}}")
                                    .at("/data/total")
                                    .asInt())
                    .isEqualTo(100);
            for (int i = 0; i < 12 && ear.closeCode == 0; i++) {
                ear.say("{'type':'subscribe','data':{'channels':[101]}}");
            }
            assertThat(ear.awaitEnd()).isEqualTo(4003);
        }
    }

    @Test
    void a_message_has_at_most_a_mebibyte() {
        try (TestHub hub = open()) {
            try (Ear ear = Ear.open(hub.url())) {
                String most = "{'type':'ping','id':'p','x':'" + "x".repeat((1 << 20) - 40) + "'}";
                assertThat(Ear.type(ear.ask(most))).isEqualTo("pong");
                ear.say("{'x':'" + "x".repeat(1 << 20) + "'}");
                ear.awaitEnd();
                assertThat(ear.closeCode).isIn(0, 1009);
            }
            try (Ear ear = Ear.open(hub.url())) {
                ear.settle();
            }
        }
    }

    @Test
    void who_sends_too_much_is_told_and_then_closed() {
        try (TestHub hub = open("telemetry.realtime.messages-per-minute=5");
                Ear ear = Ear.open(hub.url())) {
            for (int i = 0; i < 5; i++) {
                assertThat(Ear.type(ear.ask("{'type':'ping'}"))).isEqualTo("pong");
            }
            assertThat(ear.ask("{'type':'ping'}").at("/data/code").asString())
                    .isEqualTo("RATE_LIMIT");
            for (int i = 0; i < 50; i++) {
                ear.say("{'type':'ping'}");
            }
            assertThat(ear.awaitEnd()).isEqualTo(4429);
        }
    }

    @Test
    void there_are_signs_of_life_and_who_gives_none_is_closed() throws Exception {
        try (TestHub hub =
                        open(
                                "telemetry.realtime.heartbeat=200ms",
                                "telemetry.realtime.idle-time-out=2s");
                Ear ear = Ear.open(hub.url());
                Socket silent = deaf(hub)) {
            await().until(() -> ear.all("heartbeat").size() >= 2);
            assertThat(closeCode(silent)).isEqualTo(1000);
            // This one answers each ping.
            ear.settle();
            assertThat(ear.closeCode).isZero();
        }
    }

    private static Socket deaf(TestHub hub) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(120_000);
        socket.connect(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), URI.create(hub.url()).getPort()));
        socket.getOutputStream().write(RawTalk.handshake("/ws"));
        return socket;
    }

    /** Reads up to the frame that closes, and gives its code. */
    private static int closeCode(Socket socket) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        String head = "";
        while (!head.endsWith("\r\n\r\n")) {
            head += (char) in.readByte();
        }
        while (true) {
            int kind = in.readByte() & 0x0F;
            long length = in.readByte() & 0x7F;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            if (kind == 8) {
                return in.readUnsignedShort();
            }
            in.skipNBytes(length);
        }
    }

    @Test
    void who_never_reads_harms_nobody_and_is_closed() throws Exception {
        try (TestHub hub = open("telemetry.realtime.slow-time-out=1s")) {
            String many =
                    IntStream.rangeClosed(1, 900)
                            .mapToObj("\"%d\":%%d"::formatted)
                            .collect(Collectors.joining(",", "{", "}"));
            hub.send("POST", "/api/channels/1/T", many.replace("%d", "0"));
            try (Socket deaf = deaf(hub);
                    Ear ear = Ear.open(hub.url())) {
                deaf.getOutputStream()
                        .write(
                                RawTalk.text(
                                        "{\"type\":\"subscribe\",\"data\":{\"channels\":[\"1\"],\"interval\":0}}"));
                ear.say(
                        "{'type':'subscribe','data':{'channels':['1'],'interval':0,'mode':'change'}}");
                ear.next("data_update");
                int last = 0;
                while (figure(hub, "millrace_realtime_closed_slow_total") == 0) {
                    last++;
                    assertThat(
                                    hub.send(
                                                    "POST",
                                                    "/api/channels/1/T",
                                                    many.replace("%d", Integer.toString(last)))
                                            .status())
                            .isEqualTo(200);
                }
                String newest = "\"value\":" + last + ",";
                await().until(() -> ear.heard.getLast().toString().contains(newest));
                assertThat(closeCode(deaf)).isEqualTo(4429);
            }
            await().until(() -> figure(hub, "millrace_realtime_clients") == 0);
        }
    }

    @Test
    void answers_that_nobody_reads_wait_up_to_a_limit() throws Exception {
        try (TestHub hub =
                        open(
                                "telemetry.realtime.buffer-messages=10",
                                "telemetry.realtime.messages-per-minute=1000000");
                Socket deaf = deaf(hub)) {
            byte[] ping = RawTalk.text("{\"type\":\"ping\",\"id\":\"" + "x".repeat(80) + "\"}");
            while (figure(hub, "millrace_realtime_closed_slow_total") == 0) {
                for (int i = 0; i < 2000; i++) {
                    deaf.getOutputStream().write(ping);
                }
            }
            assertThat(closeCode(deaf)).isEqualTo(4429);
        }
    }

    @Test
    void there_are_only_so_many_clients() {
        try (TestHub hub = open("telemetry.realtime.max-clients=1");
                Ear first = Ear.open(hub.url())) {
            first.settle();
            try (Ear second = Ear.open(hub.url())) {
                assertThat(second.awaitEnd()).isEqualTo(1013);
            }
            first.settle();
        }
    }

    @Test
    void when_the_hub_stops_clients_are_told() {
        TestHub hub = open();
        try (Ear ear = Ear.open(hub.url())) {
            ear.settle();
            hub.close();
            assertThat(ear.awaitEnd()).isEqualTo(1001);
        }
    }

    @Test
    void the_same_by_rest() {
        try (TestHub hub = open()) {
            hub.send("POST", "/api/channels/1/T", "{\"102\":2,\"101\":1.5}");
            hub.send("POST", "/api/channels/1/S", "{\"7\":true}");
            hub.send(
                    "POST",
                    "/api/channels",
                    "{\"id\":1,\"protocol\":\"virtual\",\"name\":\"boiler\",\"area_id\":\"hall\"}");
            assertThat(
                            hub.get("/api/v1/realtime/channels/1")
                                    .json()
                                    .at("/data/total_points")
                                    .asInt())
                    .isEqualTo(3);
            JsonNode one =
                    hub.get("/api/v1/realtime/channels/1?data_types=T")
                            .json()
                            .at("/data/updates/0");
            assertThat(one.at("/values/0/point_id").asInt()).isEqualTo(101);
            assertThat(one.at("/values/1/value").asInt()).isEqualTo(2);
            TestHub.Reply some =
                    hub.send(
                            "POST",
                            "/api/v1/realtime/batch-query",
                            "{\"channels\":[\"1\"],\"data_types\":[\"S\"],\"include_quality\":false,"
                                + "\"include_timestamp\":false}");
            assertThat(some.json().at("/data/updates/0/values/0").toString())
                    .isEqualTo("{\"point_id\":7,\"value\":1}");
            for (String query :
                    new String[] {"device_ids=1", "device_ids=boiler", "area_ids=hall"}) {
                assertThat(
                                hub.get("/api/v1/realtime/snapshot?format=compact&" + query)
                                        .json()
                                        .at("/data/channels/1/T/101")
                                        .asDouble())
                        .as(query)
                        .isEqualTo(1.5);
            }
            for (String row :
                    """
                    GET|/api/v1/realtime/channels/9||404|CHANNEL_NOT_FOUND
                    GET|/api/v1/realtime/channels/x||400|INVALID_PARAMETER
                    GET|/api/v1/realtime/channels/1?data_types=Q||400|INVALID_PARAMETER
                    GET|/api/v1/realtime/snapshot?device_ids=1&format=xml||400|INVALID_PARAMETER
                    POST|/api/v1/realtime/batch-query|{}|400|VALIDATION_ERROR
                    POST|/api/v1/realtime/batch-query|{"channels":["x"]}|400|VALIDATION_ERROR
                    POST|/api/v1/realtime/batch-query|{"channels":["9"]}|404|CHANNEL_NOT_FOUND
                    POST|/api/v1/realtime/batch-query|{"channels":["1"],"include_quality":1}|400|VALIDATION_ERROR
                    GET|/ws||400|INVALID_PARAMETER
                    """
                            .lines()
                            .toList()) {
                String[] parts = row.split("\\|", -1);
                TestHub.Reply reply = hub.send(parts[0], parts[1], parts[2]);
                assertThat(reply.status()).as(row).isEqualTo(Integer.parseInt(parts[3]));
                assertThat(reply.json().at("/error/code").asString()).as(row).isEqualTo(parts[4]);
            }
        }
    }
}
