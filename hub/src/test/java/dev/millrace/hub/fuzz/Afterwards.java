package dev.millrace.hub.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.millrace.keyspace.check.CheckReport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Whether the hub does everything that it did before, for those who are honest. */
final class Afterwards {
    private static final int GENEROUS_SECONDS = Target.PATIENCE_MILLIS / 1000;

    /** More than a few, so that it shows if somebody else takes some of them away. */
    private static final int EVENTS = 20;

    /** As many as the broker must still have room for. */
    private static final int CONNECTIONS = 30;

    private final Target target;
    private final Calls calls;

    Afterwards(Target target) {
        this.target = target;
        this.calls = new Calls(target);
    }

    /** Everything, one after the other; each that fails says what it was. */
    void everything(Faults faults) {
        check("ready", faults, this::ready);
        check("readings over HTTP", faults, this::readings);
        check("readings over MQTT", faults, this::ingest);
        check("notifications", faults, this::notifications);
        check("documents", faults, this::documents);
        check("message channels", faults, this::channels);
        check("live feeds", faults, this::live);
        check("room for MQTT clients", faults, this::brokerHasRoom);
        check("room for browsers", faults, this::eventbusHasRoom);
        check("indexes", faults, this::fsck);
    }

    /** Something that may fail in any way. */
    @FunctionalInterface
    private interface Look {
        void look() throws Exception;
    }

    private static void check(String what, Faults faults, Look look) {
        try {
            look.look();
        } catch (Exception | AssertionError e) {
            faults.add("afterwards: " + what, Judge.beginning(e.toString()));
        }
    }

    private void ready() {
        await().atMost(GENEROUS_SECONDS, SECONDS)
                .untilAsserted(
                        () -> {
                            Heard heard = calls.get("/health/ready");
                            assertThat(heard.status()).as(heard.text()).isEqualTo(200);
                        });
    }

    private Heard must(int status, String method, String path, String body) {
        Heard heard = calls.send(method, path, body);
        assertThat(heard.status()).as(method + " " + path + ": " + heard.text()).isEqualTo(status);
        return heard;
    }

    private static String event(String id) {
        return "{\"id\":\"%s\",\"device\":\"after\",\"readings\":[{\"name\":\"t\",\"value\":\"1\"}]}"
                .formatted(id);
    }

    private void readings() {
        String id = UUID.randomUUID().toString();
        must(200, "POST", "/api/v1/event", event(id));
        assertThat(must(200, "GET", "/api/v1/event/" + id, "").text()).contains("\"after\"");
    }

    private void notifications() {
        String slug = "after-" + UUID.randomUUID();
        must(
                202,
                "POST",
                "/api/v1/notification",
                "{\"slug\":\"%s\",\"sender\":\"x\",\"category\":\"SW_HEALTH\",\"severity\":\"NORMAL\",\"content\":\"x\"}"
                        .formatted(slug));
        assertThat(must(200, "GET", "/api/v1/notification/slug/" + slug, "").text()).contains(slug);
    }

    private void documents() {
        String id = UUID.randomUUID().toString();
        must(
                200,
                "POST",
                "/history/datastore/set",
                "{\"value\":{\"namespace\":\"after\",\"id\":\"%s\",\"n\":7}}".formatted(id));
        assertThat(
                        must(
                                        200,
                                        "POST",
                                        "/history/datastore/get",
                                        "{\"namespace\":\"after\",\"id\":\"%s\"}".formatted(id))
                                .text())
                .contains("\"n\":7");
    }

    private void channels() {
        String name = UUID.randomUUID().toString();
        String polling = "/channel/" + name + "/subscription/polling/u";
        must(200, "PUT", polling, "");
        must(200, "PUT", "/channel/" + name + "/message/m", "{\"x\":1}");
        String page = must(200, "GET", polling, "").text();
        assertThat(page).contains("\"messageID\":\"m\"");
        String handle = page.replaceAll("(?s).*\"ackHandle\":\"([^\"]*)\".*", "$1");
        must(204, "DELETE", polling + "/message?ackHandle=" + handle, "");
        assertThat(must(200, "GET", polling, "").text()).doesNotContain("\"messageID\"");
        must(200, "DELETE", polling, "");
    }

    private void live() throws IOException {
        try (Socket socket = calls.stream("/live?feeds=events")) {
            InputStream in = new Listening(socket);
            assertThat(Heard.read(in, false).orElseThrow().status()).isEqualTo(200);
            read(in, "ready");
            String id = UUID.randomUUID().toString();
            must(200, "POST", "/api/v1/event", event(id));
            read(in, id);
        }
    }

    /** Reads until this has come; the socket's own patience ends it otherwise. */
    private static void read(InputStream in, String wanted) throws IOException {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        while (!heard.toString(ISO_8859_1).contains(wanted)) {
            int next = in.read();
            assertThat(next).as("%s before %s", heard, wanted).isNotNegative();
            heard.write(next);
        }
    }

    private void ingest() throws IOException {
        List<String> ids = published();
        await().atMost(GENEROUS_SECONDS, SECONDS)
                .untilAsserted(() -> assertThat(ids).allSatisfy(this::stored));
    }

    private void stored(String id) {
        must(200, "GET", "/api/v1/event/" + id, "");
    }

    private List<String> published() throws IOException {
        List<String> ids = new ArrayList<>();
        try (Socket socket = target.connect(target.mqtt)) {
            InputStream in = new Listening(socket);
            socket.getOutputStream()
                    .write(MqttBytes.connect("after-" + UUID.randomUUID(), target.admin()));
            assertThat(MqttAttacker.until(2, in, new ByteArrayOutputStream())).isTrue();
            for (int n = 1; n <= EVENTS; n++) {
                String id = UUID.randomUUID().toString();
                ids.add(id);
                socket.getOutputStream().write(MqttBytes.publish("edgex/events/x", n, event(id)));
                assertThat(MqttAttacker.until(4, in, new ByteArrayOutputStream())).isTrue();
            }
        }
        return ids;
    }

    private void brokerHasRoom() {
        await().atMost(GENEROUS_SECONDS, SECONDS)
                .untilAsserted(
                        () -> {
                            List<Socket> open = new ArrayList<>();
                            try {
                                for (int i = 0; i < CONNECTIONS; i++) {
                                    Socket socket = target.connect(target.mqtt);
                                    open.add(socket);
                                    socket.getOutputStream()
                                            .write(MqttBytes.connect("room-" + i, target.admin()));
                                    assertThat(socket.getInputStream().readNBytes(4))
                                            .containsExactly(0x20, 2, 0, 0);
                                }
                            } finally {
                                close(open);
                            }
                        });
    }

    private void eventbusHasRoom() {
        await().atMost(GENEROUS_SECONDS, SECONDS)
                .untilAsserted(
                        () -> {
                            List<Socket> open = new ArrayList<>();
                            try {
                                for (int i = 0; i < Target.BROWSERS; i++) {
                                    Socket socket = target.connect(target.http);
                                    open.add(socket);
                                    speaksMqtt(socket, "browser-" + i);
                                }
                            } finally {
                                close(open);
                            }
                        });
    }

    private void speaksMqtt(Socket socket, String clientId) throws IOException {
        InputStream in = new Listening(socket);
        socket.getOutputStream()
                .write(Frames.handshake(target, "/eventbus", target.admin(), List.of()));
        assertThat(Heard.read(in, false).orElseThrow().status()).isEqualTo(101);
        socket.getOutputStream()
                .write(Frames.frame(Frames.BINARY, MqttBytes.connect(clientId, target.admin())));
        assertThat(in.readNBytes(6)).containsExactly(0x82, 4, 0x20, 2, 0, 0);
    }

    private static void close(List<Socket> open) throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void fsck() {
        await().atMost(GENEROUS_SECONDS, SECONDS)
                .untilAsserted(
                        () -> {
                            // One that an attacker has begun is stopped, or waited for.
                            calls.send("DELETE", "/ops/fsck", "");
                            CheckReport report = target.hub.keyspace().check().run();
                            assertThat(report.end()).isEqualTo(CheckReport.End.FINISHED);
                            assertThat(report.findings()).isEmpty();
                            assertThat(report.left()).isZero();
                            assertThat(report.unknownExamples()).isEmpty();
                        });
    }
}
