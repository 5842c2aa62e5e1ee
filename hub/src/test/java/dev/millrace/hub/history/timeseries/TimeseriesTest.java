package dev.millrace.hub.history.timeseries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** The time series of Brewblox: what comes by MQTT, and what its user interface asks. */
class TimeseriesTest {
    private static final String ROOT = "/history/timeseries/";

    @TempDir private static Path directory;
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        int port = TestPorts.take();
        hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "mqtt.embedded.port=" + port,
                        "data.dir=" + directory);
        Mqtt5AsyncClient client =
                MqttClient.builder()
                        .serverHost("127.0.0.1")
                        .serverPort(port)
                        .useMqttVersion5()
                        .buildAsync();
        client.connect().orTimeout(60, SECONDS).join();
        SharedServers.standalone()
                .command("SET", "history:statistics:brewblox:spoilt", "somebody's");
        for (String payload :
                new String[] {
                    "{\"key\":\"spoilt\",\"data\":{\"x\":1}}",
                    "[]",
                    "{",
                    "{\"key\":\"\",\"data\":{}}",
                    "{\"key\":\"spark-one\",\"data\":{\"Sensor"
                        + " 1\":{\"value[degC]\":20.5,\"ok\":true,"
                        + "\"name\":\"x\",\"none\":null,\"text\":\"7\",\"list\":[1,{\"a:b\":2}]}}}",
                    "{\"key\":\"Häuser & more\",\"data\":{\"x.1m\":3,\"statistics\":4}}"
                }) {
            client.publishWith()
                    .topic("brewcast/history/spark-one")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload(payload.getBytes(UTF_8))
                    .send()
                    .orTimeout(60, SECONDS)
                    .join();
        }
        await().until(() -> post("fields", "{}").size() == 7);
        client.disconnect().join();
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static JsonNode post(String path, String body) {
        TestHub.Reply reply = hub.send("POST", ROOT + path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json();
    }

    @Test
    void every_number_of_a_message_is_a_field() {
        assertThat(post("fields", "{\"duration\":\"1d\"}").toString())
                .isEqualTo(
                        "[\"Häuser & more/statistics\",\"Häuser & more/x.1m\","
                                + "\"spark-one/Sensor 1/list/0\",\"spark-one/Sensor 1/list/1/a:b\","
                                + "\"spark-one/Sensor 1/ok\",\"spark-one/Sensor 1/text\","
                                + "\"spark-one/Sensor 1/value[degC]\"]");
    }

    @Test
    void the_last_values_come_with_their_times() {
        JsonNode found =
                post(
                        "metrics",
                        "{\"fields\":[\"spark-one/Sensor 1/value[degC]\",\"Häuser &"
                                + " more/x.1m\",\"no/such\"]}");
        assertThat(found.size()).isEqualTo(2);
        assertThat(found.at("/0/metric").asString()).isEqualTo("spark-one/Sensor 1/value[degC]");
        assertThat(found.at("/0/value").asDouble()).isEqualTo(20.5);
        assertThat(found.at("/0/timestamp").asString()).endsWith("Z");
        assertThat(found.at("/1/value").asDouble()).isEqualTo(3);
    }

    @Test
    void ranges_are_means_of_steps() {
        JsonNode found =
                post(
                        "ranges",
                        "{\"fields\":[\"spark-one/Sensor 1/ok\",\"no/such\"],\"duration\":\"1h\"}");
        assertThat(found.size()).isEqualTo(2);
        assertThat(found.at("/0/metric/__name__").asString()).isEqualTo("spark-one/Sensor 1/ok");
        assertThat(found.at("/0/values/0/1").asString()).isEqualTo("1");
        assertThat(found.at("/0/values/0/0").asLong() % 10).isZero();
        assertThat(found.at("/1/values").size()).isZero();
    }

    @Test
    void csv_has_a_line_for_each_time() {
        TestHub.Reply reply =
                hub.send(
                        "POST",
                        ROOT + "csv",
                        "{\"fields\":[\"spark-one/Sensor 1/ok\",\"no/such\",\"spark-one/Sensor"
                                + " 1/text\"],\"precision\":\"s\"}");
        assertThat(reply.header("access-control-allow-origin")).isEqualTo("*");
        assertThat(reply.header("content-type")).startsWith("text/plain");
        assertThat(reply.body())
                .matches(
                        "time,spark-one/Sensor 1/ok,no/such,spark-one/Sensor 1/text\n"
                                + "[0-9]{10},1,,7\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{",
                "{\"fields\":\"x\"}",
                "{\"fields\":[1]}",
                "{\"fields\":[],\"duration\":\"soon\"}",
                "{\"fields\":[],\"duration\":\"0s\"}",
                "{\"fields\":[],\"start\":\"x\"}",
                "{\"fields\":[],\"start\":2,\"end\":1}",
                "{\"fields\":[],\"start\":1,\"end\":2,\"duration\":\"1m\"}",
                "{\"fields\":[],\"start\":1,\"end\":1754568000}"
            })
    void what_cannot_be_meant_is_a_422_in_the_words_of_brewblox(String body) {
        TestHub.Reply reply = hub.send("POST", ROOT + "ranges", body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(422);
        assertThat(reply.json().at("/detail/0/loc/0").asString()).isEqualTo("body");
    }

    @ParameterizedTest
    @CsvSource({
        // Nothing said: the last day, which goes on.
        "'{}',86400000,true,87000",
        "'{\"duration\":\"10m\"}',600000,true,10000",
        "'{\"duration\":\"30d\"}',2592000000,true,3600000",
        "'{\"start\":1754568000,\"duration\":\"2h10m\"}',7800000,false,10000",
        "'{\"start\":1754568000,\"end\":1754568060000}',60000,false,10000",
        "'{\"end\":\"2025-08-07T12:00:00Z\"}',86400000,false,87000",
        "'{\"end\":1754568000,\"duration\":3600}',3600000,false,10000"
    })
    void a_time_frame_is_what_two_of_three_say(String query, long span, boolean open, long step) {
        TimeFrame frame = TimeFrame.of(Json.MAPPER.readTree(query), System.currentTimeMillis());
        assertThat(frame.to() - frame.from()).isEqualTo(span);
        assertThat(frame.open()).isEqualTo(open);
        assertThat(frame.step()).isGreaterThanOrEqualTo(step > 60_000 ? 86_400 : step);
        assertThat(frame.step() % 1000).isZero();
    }

    @Test
    void a_stream_tells_what_there_is_until_it_is_stopped() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(hub.url().replace("http", "ws") + ROOT + "stream"),
                                    new Ear(heard))
                            .join();
            socket.sendText(
                            "{\"id\":\"a\",\"command\":\"ranges\",\"query\":{\"fields\":[\"spark-one/Sensor"
                                + " 1/ok\"]}}",
                            true)
                    .join();
            JsonNode ranges = Json.MAPPER.readTree(heard.poll(60, SECONDS));
            assertThat(ranges.at("/id").asString()).isEqualTo("a");
            assertThat(ranges.at("/data/initial").asBoolean()).isTrue();
            assertThat(ranges.at("/data/ranges/0/values").size()).isEqualTo(1);
            socket.sendText(
                            "{\"id\":\"b\",\"command\":\"metrics\",\"query\":{\"fields\":[\"spark-one/Sensor"
                                + " 1/ok\"]}}",
                            true)
                    .join();
            JsonNode metrics = Json.MAPPER.readTree(heard.poll(60, SECONDS));
            assertThat(metrics.at("/data/metrics/0/value").asDouble()).isEqualTo(1);
            for (String wrong :
                    new String[] {
                        "x",
                        "{\"id\":\"c\",\"command\":\"what\"}",
                        "{\"id\":\"c\",\"command\":\"ranges\",\"query\":{\"fields\":1}}"
                    }) {
                socket.sendText(wrong, true).join();
                assertThat(Json.MAPPER.readTree(heard.poll(60, SECONDS)).has("error")).isTrue();
            }
            socket.sendText("{\"id\":\"a\",\"command\":\"stop\"}", true).join();
            socket.abort();
        }
    }

    private static final class Ear implements WebSocket.Listener {
        private final BlockingQueue<String> heard;
        private final StringBuilder text = new StringBuilder();

        Ear(BlockingQueue<String> heard) {
            this.heard = heard;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                heard.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
