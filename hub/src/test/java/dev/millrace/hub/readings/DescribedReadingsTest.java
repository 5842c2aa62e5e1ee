package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Readings by unit, label and type of their value descriptors, over HTTP. */
@OnEachSite
final class DescribedReadingsTest extends RoomContract {
    private void describe(String name, String members) {
        Reply reply =
                hub.send(
                        "POST",
                        "/api/v1/valuedescriptor",
                        "{\"name\":\"%s\",%s}".formatted(name, members));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private String reading(String device, String name, long created) {
        return postReading(
                "{\"device\":\"%s\",\"name\":\"%s\",\"value\":\"1\",\"created\":%d}"
                        .formatted(device, name, created));
    }

    @Test
    void they_come_newest_first_over_all_descriptors() {
        describe("power", "\"uomLabel\":\"kW\",\"type\":\"F\",\"labels\":[\"grid\",\"a\"]");
        describe("load", "\"uomLabel\":\"kW\",\"type\":\"I\",\"labels\":[\"grid\"]");
        describe("flow", "\"uomLabel\":\"l\",\"type\":\"F\"");
        String first = reading("pump", "power", 100);
        String second = reading("fan", "load", 200);
        String third = reading("pump", "flow", 300);
        String fourth = reading("fan", "power", 400);
        reading("fan", "nobody", 500);
        assertThat(ids("reading/uomlabel/kW/10")).containsExactly(fourth, second, first);
        assertThat(ids("reading/label/grid/10")).containsExactly(fourth, second, first);
        assertThat(ids("reading/label/a/10")).containsExactly(fourth, first);
        assertThat(ids("reading/type/F/10")).containsExactly(fourth, third, first);
        assertThat(ids("reading/type/F/2")).containsExactly(fourth, third);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uomlabel", "label", "type"})
    void where_there_is_nothing_the_list_is_empty_and_too_many_are_refused(String what) {
        describe("power", "\"uomLabel\":\"x\",\"type\":\"x\",\"labels\":[\"x\"]");
        assertThat(get("reading/%s/nothing/5".formatted(what)).body()).isEqualTo("[]\n");
        assertThat(get("reading/%s/x/5".formatted(what)).body()).isEqualTo("[]\n");
        reading("pump", "power", 5);
        assertThat(get("reading/%s/x/0".formatted(what)).body()).isEqualTo("[]\n");
        assertThat(ids("reading/%s/x/50".formatted(what))).hasSize(1);
        assertThat(get("reading/%s/x/51".formatted(what)).status()).isEqualTo(413);
        assertThat(get("reading/%s/x/99999999999999999999".formatted(what)).status())
                .isEqualTo(400);
        assertThat(get("reading/%s/x/many".formatted(what)).body())
                .isEqualTo("404 page not found\n");
    }

    @Test
    void many_descriptors_with_many_readings_are_merged_as_if_they_were_one() {
        record Made(long created, String id) {}
        Random random = new Random(3);
        List<Made> made = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            describe("n" + i, "\"type\":\"F\"");
        }
        for (int i = 0; i < 150; i++) {
            // Most are of one name, so that it needs more pages than the others; times meet.
            int name = random.nextInt(4) > 0 ? 0 : random.nextInt(6);
            long created = 1000L + random.nextInt(60);
            made.add(new Made(created, reading("device" + random.nextInt(5), "n" + name, created)));
        }
        List<String> expected =
                made.stream()
                        .sorted(
                                Comparator.comparingLong(Made::created)
                                        .thenComparing(Made::id)
                                        .reversed())
                        .map(Made::id)
                        .toList();
        assertThat(ids("reading/type/F/50")).isEqualTo(expected.subList(0, 50));
        assertThat(ids("reading/type/F/7")).isEqualTo(expected.subList(0, 7));
    }
}
