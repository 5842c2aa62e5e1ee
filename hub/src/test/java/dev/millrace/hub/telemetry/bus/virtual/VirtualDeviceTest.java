package dev.millrace.hub.telemetry.bus.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.bus.Connected;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.bus.Poll;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** What a device that does not exist shows, and what it does when it is told to. */
class VirtualDeviceTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final InstantSource clock = () -> now;

    private static ChannelConfiguration channel(String parameters, String points) {
        return new ChannelConfiguration(
                7,
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"protocol":"virtual","parameters":%s,"points":%s}
                                """
                                        .formatted(parameters, points)));
    }

    private VirtualDevice device(String parameters, String points) {
        VirtualDevice device = new VirtualDevice(channel(parameters, points), clock);
        device.connect();
        return device;
    }

    private static Map<String, Double> values(VirtualDevice device) {
        Map<String, Double> values = new TreeMap<>();
        assertThat(device.poll())
                .isInstanceOfSatisfying(
                        Poll.Answered.class,
                        poll ->
                                poll.samples()
                                        .forEach(
                                                each ->
                                                        values.put(
                                                                each.type().reference(each.point()),
                                                                each.raw())));
        return values;
    }

    private List<Map<String, Double>> seconds(VirtualDevice device, int count) {
        List<Map<String, Double>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(values(device));
            now = now.plusSeconds(1);
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'signal':'constant','value':4.5}                          | 4.5   | 4.5",
                "{'signal':'sine','min':0,'max':10,'period':40}             | 5     | 10",
                "{'signal':'sine','min':0,'max':10,'period':40,'phase':0.5} | 5     | 0",
                "{'signal':'ramp','min':0,'max':40,'period':40}             | 0     | 10",
                "{'signal':'steps','values':[1,2,3],'every':10}             | 1     | 2",
                "{'signal':'counter','rate':2,'wrap':100}                   | 0     | 20",
            })
    void signals_are_what_they_are_called(String mapping, double atFirst, double afterTen) {
        // A moment that all the periods divide.
        now = Instant.ofEpochSecond(1_200_000_000);
        String point =
                "{\"T\":[{\"point_id\":1,\"mapping\":%s}]}".formatted(mapping.replace('\'', '"'));
        VirtualDevice device = device("{}", point);
        assertThat(values(device).get("1")).isEqualTo(atFirst);
        now = now.plusSeconds(10);
        assertThat(values(device).get("1")).isEqualTo(afterTen);
    }

    private static final String SITE =
            """
            {"T":[{"point_id":1,"mapping":{"signal":"drift","min":-5,"max":5,"period":9,"noise":1}},
                  {"point_id":2,"mapping":{"signal":"noise","min":1,"max":2}},
                  {"point_id":3,"mapping":{"battery":"soc"}},
                  {"point_id":4,"mapping":{"battery":"power"}},
                  {"point_id":5,"mapping":{"tank":"level"}},
                  {"point_id":6,"mapping":{"meter":"power"}}],
             "S":[{"point_id":1,"mapping":{"battery":"state"}}]}
            """;

    @Test
    void the_same_seed_gives_the_same_signals_and_another_one_others() {
        Instant begin = now;
        List<Map<String, Double>> first = seconds(device("{\"seed\":4}", SITE), 50);
        now = begin;
        List<Map<String, Double>> again = seconds(device("{\"seed\":4}", SITE), 50);
        now = begin;
        List<Map<String, Double>> other = seconds(device("{\"seed\":5}", SITE), 50);
        assertThat(again).isEqualTo(first);
        assertThat(other).isNotEqualTo(first);
        assertThat(first.stream().map(each -> each.get("1")))
                .allSatisfy(value -> assertThat(value).isBetween(-6.0, 6.0));
        assertThat(first.stream().map(each -> each.get("2")).distinct().count()).isGreaterThan(10);
    }

    @Test
    void how_often_it_is_looked_at_changes_nothing() {
        Instant begin = now;
        VirtualDevice often = device("{\"battery\":{\"speed\":60}}", SITE);
        seconds(often, 60);
        Map<String, Double> last = values(often);
        now = begin;
        VirtualDevice seldom = device("{\"battery\":{\"speed\":60}}", SITE);
        values(seldom);
        now = begin.plusSeconds(60);
        assertThat(values(seldom)).isEqualTo(last);
    }

    @Test
    void a_battery_does_as_it_is_told_and_stops_when_it_is_empty() throws Exception {
        VirtualDevice device =
                device(
                        """
                        {"battery":{"capacity_kwh":100,"max_kw":50,"soc":50,"speed":60}}
                        """,
                        """
                        {"T":[{"point_id":1,"mapping":{"battery":"soc"}},
                              {"point_id":2,"mapping":{"battery":"power"}}],
                         "C":[{"point_id":1,"mapping":{"battery":"enable"}}],
                         "A":[{"point_id":1,"mapping":{"battery":"setpoint"}}]}
                        """);
        values(device);
        assertThat(device.write(PointType.A, "1", 40, LONG))
                .isEqualTo(new Ordered.Done(OptionalDouble.of(40)));
        seconds(device, 30);
        Map<String, Double> full = values(device);
        assertThat(full.get("2")).isEqualTo(40);
        assertThat(full.get("1")).isCloseTo(50 - 40 * 30.0 / 60, within(3.0));
        assertThat(device.write(PointType.C, "1", 0, LONG)).isInstanceOf(Ordered.Done.class);
        seconds(device, 10);
        assertThat(values(device).get("2")).isZero();
        device.write(PointType.C, "1", 1, LONG);
        seconds(device, 120);
        assertThat(values(device)).containsEntry("1", 0.0).containsEntry("2", 0.0);
    }

    @Test
    void a_tank_fills_and_never_overflows() throws Exception {
        VirtualDevice device =
                device(
                        "{\"tank\":{\"level\":50,\"inflow_lpm\":600,\"outflow_lpm\":60}}",
                        """
                        {"T":[{"point_id":1,"mapping":{"tank":"level"}},
                              {"point_id":2,"mapping":{"tank":"temperature"}}],
                         "C":[{"point_id":1,"mapping":{"tank":"inlet"}},
                              {"point_id":2,"mapping":{"tank":"outlet"}}]}
                        """);
        values(device);
        device.write(PointType.C, "1", 1, LONG);
        device.write(PointType.C, "2", 0, LONG);
        seconds(device, 120);
        assertThat(values(device).get("1")).isBetween(99.0, 100.0);
        device.write(PointType.C, "1", 0, LONG);
        device.write(PointType.C, "2", 1, LONG);
        seconds(device, 60);
        assertThat(values(device).get("1")).isBetween(93.0, 95.0);
    }

    @Test
    void a_point_can_show_what_was_ordered() throws Exception {
        VirtualDevice device =
                device(
                        "{}",
                        """
                        {"T":[{"point_id":9,"mapping":
                                {"signal":"follows","type":"A","point":3}}],
                         "A":[{"point_id":3,"mapping":{"initial":21}}]}
                        """);
        assertThat(values(device)).containsEntry("9", 21.0);
        device.write(PointType.A, "3", 17.5, LONG);
        assertThat(values(device)).containsEntry("9", 17.5);
    }

    @Test
    void what_becomes_of_an_order_can_be_rehearsed() throws Exception {
        VirtualDevice device =
                device(
                        "{}",
                        """
                        {"T":[{"point_id":1,"mapping":
                                {"signal":"follows","type":"C","point":3}}],
                         "C":[{"point_id":1,"mapping":{"answer":"refused"}},
                              {"point_id":2,"mapping":{"after_ms":1}},
                              {"point_id":3,"mapping":{"answer":"lost"}}]}
                        """);
        assertThat(device.write(PointType.C, "1", 1, LONG)).isInstanceOf(Ordered.Refused.class);
        assertThat(device.write(PointType.C, "2", 1, LONG)).isInstanceOf(Ordered.Done.class);
        assertThat(device.write(PointType.C, "3", 1, Duration.ofMillis(5)))
                .isInstanceOf(Ordered.Unknown.class);
        assertThat(values(device)).as("it was done all the same").containsEntry("1", 1.0);
        assertThat(device.write(PointType.C, "4", 1, LONG))
                .isInstanceOfSatisfying(
                        Ordered.NotSent.class,
                        not -> assertThat(not.cause()).isEqualTo(Ordered.Cause.UNKNOWN_POINT));
    }

    @Test
    void whoever_waits_for_an_answer_gets_none_when_it_is_closed() throws Exception {
        VirtualDevice device =
                device("{}", "{\"C\":[{\"point_id\":1,\"mapping\":{\"answer\":\"lost\"}}]}");
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Ordered> waiting =
                CompletableFuture.supplyAsync(
                        () -> {
                            begun.countDown();
                            try {
                                return device.write(PointType.C, "1", 1, LONG);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        begun.await();
        device.close();
        assertThat(waiting.get()).isInstanceOfAny(Ordered.Unknown.class, Ordered.NotSent.class);
    }

    @Test
    void an_outage_ends_the_connection_and_passes() throws Exception {
        now = Instant.ofEpochSecond(1_200_000_000);
        VirtualDevice device =
                device(
                        "{\"outage_every_s\":60,\"outage_s\":10}",
                        """
                        {"T":[{"point_id":1,"mapping":{"signal":"constant"}}],
                         "C":[{"point_id":1,"mapping":{"initial":0}}]}
                        """);
        assertThat(device.poll()).isInstanceOf(Poll.Answered.class);
        now = now.plusSeconds(55);
        assertThat(device.write(PointType.C, "1", 1, LONG))
                .isInstanceOfSatisfying(
                        Ordered.NotSent.class,
                        not -> assertThat(not.cause()).isEqualTo(Ordered.Cause.OFFLINE));
        assertThat(device.poll())
                .isInstanceOfSatisfying(
                        Poll.Failed.class, failed -> assertThat(failed.lost()).isTrue());
        assertThat(device.connect()).isInstanceOf(Connected.Not.class);
        now = now.plusSeconds(5);
        assertThat(device.connect()).isInstanceOf(Connected.Now.class);
        assertThat(device.connect()).isInstanceOf(Connected.Already.class);
        assertThat(device.poll()).isInstanceOf(Poll.Answered.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "T | {'signal':'sinus'}                          | there is no signal 'sinus'",
                "T | {'signal':'sine','period':0}                | period must be above 0",
                "T | {'battery':'charge'}                        | a battery has no 'charge'",
                "T | {'signal':'follows','type':'T','point':1}   | follows needs a type",
                "T | {'signal':'steps','values':['a']}           | values must be numbers",
                "C | {'tank':'level'}                            | a tank does not take 'level'",
                "C | {'answer':'perhaps'}                        | answer must be done",
            })
    void a_mapping_that_cannot_be_is_named(String type, String mapping, String sentence) {
        String points =
                "{\"%s\":[{\"point_id\":12,\"mapping\":%s}]}"
                        .formatted(type, mapping.replace('\'', '"'));
        assertThat(new VirtualProtocol(clock).mistake(channel("{}", points)).orElse(""))
                .startsWith("points.%s, point 12: ".formatted(type))
                .contains(sentence);
    }
}
