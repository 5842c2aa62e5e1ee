package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Value descriptors, over HTTP. */
@OnEachSite
final class ValueDescriptorsTest extends RoomContract {
    private static final String PATH = "/api/v1/valuedescriptor";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String ID = "57ba04a1-189b-45b8-afcd-afd7189b95b8";

    private final MetadataService service = new MetadataService();

    @Override
    String[] settings() {
        return new String[] {"readings.max-results=5", "readings.metadata.url=" + service.url()};
    }

    @AfterAll
    void stopMetadata() {
        service.close();
    }

    private Reply add(String json) {
        return hub.send("POST", PATH, json);
    }

    private Reply change(String json) {
        return hub.send("PUT", PATH, json);
    }

    private String added(String json) {
        Reply reply = add(json);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    private void read(String name, String device) {
        String id = Shards.mint(device);
        keyspace.store(ReadingsLayouts.READINGS).create(reading(id, name, device)).orThrow();
    }

    private static Reading reading(String id, String name, String device) {
        return new Reading(id, 0, 5, 0, 0, device, name, "1", null, null, null);
    }

    private static void refused(Reply reply, int status, String words) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.body()).contains(words).endsWith("\n");
        assertThat(reply.header("content-type")).isEqualTo(TEXT);
        assertThat(reply.header("x-content-type-options")).isEqualTo("nosniff");
    }

    // ---------------------------------------------------------------- adding

    @Test
    void a_new_one_is_answered_with_its_id_and_comes_back_whole() {
        Reply added =
                add(
                        """
                        {"NAME":"temperature","description":"of the room","min":"-10","max":30.50,
                         "defaultValue":{"a":[1]},"type":"F","uomlabel":"C","formatting":"%5.1f",
                         "labels":["room","air"],"mediaType":"text/plain","floatEncoding":"eNotation",
                         "origin":1590508601358048800,"created":77,"_id":"x"}
                        """);
        assertThat(added.status()).isEqualTo(200);
        assertThat(added.header("content-type")).isEqualTo(TEXT);
        assertThat(added.body()).hasSize(36);
        Reply got = hub.get(PATH + "/" + added.body());
        assertThat(got.header("content-type")).isEqualTo("application/json");
        assertThat(got.body())
                .isEqualTo(
                        ("{\"id\":\"%s\",\"created\":77,\"description\":\"of the"
                             + " room\",\"origin\":1590508601358048800,\"name\":\"temperature\",\"min\":\"-10\",\"max\":30.50,\"defaultValue\":{\"a\":[1]},\"type\":\"F\",\"uomLabel\":\"C\",\"formatting\":\"%%5.1f\",\"labels\":[\"room\",\"air\"],\"mediaType\":\"text/plain\",\"floatEncoding\":\"eNotation\"}\n")
                                .formatted(added.body()));
    }

    @Test
    void what_is_empty_is_left_away_and_created_is_now() {
        String id = added("{\"name\":\"a\",\"type\":\"\",\"labels\":[],\"uomLabel\":null}");
        assertThat(hub.get(PATH + "/" + id).json().propertyNames())
                .containsExactly("id", "created", "name");
        assertThat(hub.get(PATH + "/" + id).json().get("created").asLong())
                .isGreaterThan(1_700_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "{}",
                "{\"name\":\"\"}",
                "{\"name\":5}",
                "{\"name\":\"a\",\"labels\":\"x\"}",
                "{\"name\":\"a\",\"origin\":1.5}",
                "{\"name\":\"a\",\"created\":\"5\"}",
                "{\"name\":\"a\",\"formatting\":\"degrees\"}",
                "{\"name\":\"a\",\"id\":\"event\"}",
                "{\"name\":\"a\",\"id\":\"57ba04a1189b95b8afcdafd7\"}"
            })
    void what_is_none_is_refused_and_nothing_is_stored(String body) {
        refused(add(body), 400, " ");
        assertThat(hub.get(PATH).body()).isEqualTo("[]\n");
    }

    @Test
    void an_id_of_the_client_is_kept_and_a_second_one_is_refused() {
        assertThat(added("{\"id\":\"%s\",\"name\":\"a\"}".formatted(ID))).isEqualTo(ID);
        refused(add("{\"id\":\"%s\",\"name\":\"b\"}".formatted(ID)), 409, "id");
        refused(add("{\"name\":\"a\"}"), 409, "'a'");
        assertThat(hub.get(PATH).json()).hasSize(1);
    }

    @Test
    void what_stands_behind_the_first_value_and_how_it_is_called_does_not_matter() {
        added("{\"name\":\"a\"} and more");
    }

    @RepeatedTest(3)
    void of_fifty_who_want_one_name_one_gets_it() {
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Integer>> going = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                going.add(
                        CompletableFuture.supplyAsync(
                                () -> {
                                    await(start);
                                    return add("{\"name\":\"wanted\"}").status();
                                },
                                clients));
            }
            start.countDown();
        }
        List<Integer> statuses = going.stream().map(CompletableFuture::join).sorted().toList();
        assertThat(statuses).hasSize(50).startsWith(200);
        assertThat(statuses.subList(1, 50)).containsOnly(409);
        assertThat(hub.get(PATH).json()).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---------------------------------------------------------------- changing

    @Test
    void a_change_replaces_what_it_says_and_keeps_the_rest_also_when_the_name_changes() {
        String id =
                added(
                        """
                        {"name":"a","min":"1","max":"2","defaultValue":"3","type":"F",
                         "uomLabel":"kW","labels":["x"],"description":"d","origin":5,"created":7}
                        """);
        Reply done = change("{\"id\":\"%s\",\"name\":\"b\",\"max\":4,\"labels\":[]}".formatted(id));
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        assertThat(done.body()).isEqualTo("true");
        assertThat(done.header("content-type")).isEqualTo("application/json");
        var now = hub.get(PATH + "/name/b").json();
        assertThat(now.get("modified").asLong()).isPositive();
        assertThat(hub.get(PATH + "/name/b").body().replaceAll("\"modified\":\\d+,", ""))
                .isEqualTo(
                        ("{\"id\":\"%s\",\"created\":7,\"description\":\"d\",\"origin\":5,"
                                        + "\"name\":\"b\",\"min\":\"1\",\"max\":4,"
                                        + "\"defaultValue\":\"3\",\"type\":\"F\","
                                        + "\"uomLabel\":\"kW\"}\n")
                                .formatted(id));
        refused(hub.get(PATH + "/name/a"), 404, "'a'");
        assertThat(hub.get(PATH + "/label/x").body()).isEqualTo("[]\n");
    }

    @Test
    void a_change_needs_a_name_and_an_id_that_is_there() {
        String id = added("{\"name\":\"a\"}");
        refused(change("{\"id\":\"%s\",\"type\":\"F\"}".formatted(id)), 400, "name");
        refused(
                change("{\"id\":\"%s\",\"name\":\"a\",\"formatting\":\"x\"}".formatted(id)),
                400,
                "%");
        refused(change("{\"name\":\"a\"}"), 404, "''");
        refused(change("{\"id\":\"x\",\"name\":\"a\"}"), 404, "'x'");
        refused(change("{\"id\":\"%s\",\"name\":\"a\"}".formatted(ID)), 404, ID);
        refused(change("{"), 400, "JSON");
    }

    @Test
    void a_name_that_readings_have_stays() {
        String id = added("{\"name\":\"a\"}");
        read("a", "pump");
        refused(change("{\"id\":\"%s\",\"name\":\"b\"}".formatted(id)), 409, "'a'");
        assertThat(change("{\"id\":\"%s\",\"name\":\"a\",\"type\":\"I\"}".formatted(id)).status())
                .isEqualTo(200);
    }

    @Test
    void a_name_that_another_has_is_not_taken_from_it() {
        String id = added("{\"name\":\"a\"}");
        added("{\"name\":\"b\"}");
        refused(change("{\"id\":\"%s\",\"name\":\"b\"}".formatted(id)), 409, "'b'");
        assertThat(hub.get(PATH + "/" + id).json().get("name").asString()).isEqualTo("a");
    }

    // ---------------------------------------------------------------- deleting

    @Test
    void one_that_no_reading_needs_can_be_deleted_by_id_and_by_name() {
        String id = added("{\"name\":\"a\"}");
        added("{\"name\":\"b\"}");
        assertThat(hub.send("DELETE", PATH + "/id/" + id, "").body()).isEqualTo("true");
        assertThat(hub.send("DELETE", PATH + "/name/b", "").body()).isEqualTo("true");
        assertThat(hub.get(PATH).body()).isEqualTo("[]\n");
        refused(hub.send("DELETE", PATH + "/id/" + id, ""), 404, id);
        refused(hub.send("DELETE", PATH + "/id/x", ""), 404, "'x'");
        refused(hub.send("DELETE", PATH + "/name/b", ""), 404, "'b'");
    }

    @Test
    void one_that_readings_need_stays() {
        String id = added("{\"name\":\"a\"}");
        read("a", "pump");
        refused(hub.send("DELETE", PATH + "/id/" + id, ""), 409, "'a'");
        refused(hub.send("DELETE", PATH + "/name/a", ""), 409, "'a'");
        assertThat(hub.get(PATH + "/" + id).status()).isEqualTo(200);
    }

    // ---------------------------------------------------------------- asking

    @Test
    void one_that_is_not_there_is_not_found_and_neither_is_something_else() {
        String reading = Shards.mint("pump");
        keyspace.store(ReadingsLayouts.READINGS).create(reading(reading, "a", "pump")).orThrow();
        refused(hub.get(PATH + "/" + ID), 404, ID);
        refused(hub.get(PATH + "/event"), 404, "'event'");
        refused(hub.get(PATH + "/" + reading), 404, reading);
        refused(hub.get(PATH + "/name/nobody"), 404, "'nobody'");
        refused(hub.send("DELETE", PATH + "/id/" + reading, ""), 404, reading);
    }

    @Test
    void they_are_found_by_unit_and_by_label() {
        added("{\"name\":\"a\",\"uomLabel\":\"kW/h %\",\"labels\":[\"x\",\"y\"]}");
        added("{\"name\":\"b\",\"labels\":[\"y\"]}");
        assertThat(names(hub.get(PATH + "/uomlabel/kW%20%25"))).isEmpty();
        assertThat(names(hub.get(PATH + "/label/x"))).containsExactly("a");
        assertThat(names(hub.get(PATH + "/label/y"))).containsExactlyInAnyOrder("a", "b");
        assertThat(hub.get(PATH + "/label/z").body()).isEqualTo("[]\n");
        assertThat(hub.get(PATH + "/uomlabel/z").body()).isEqualTo("[]\n");
        added("{\"name\":\"c\",\"uomLabel\":\"m + s\"}");
        assertThat(names(hub.get(PATH + "/uomlabel/m%20+%20s"))).containsExactly("c");
    }

    private static List<String> names(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        List<String> names = new ArrayList<>();
        reply.json().forEach(each -> names.add(each.get("name").asString()));
        return names;
    }

    @Test
    void all_come_by_id_and_more_than_one_answer_takes_is_refused() {
        List<String> ids = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            ids.add(added("{\"name\":\"%s\"}".formatted(name)));
        }
        List<String> listed = new ArrayList<>();
        hub.get(PATH).json().forEach(each -> listed.add(each.get("id").asString()));
        assertThat(listed).isEqualTo(ids.stream().sorted().toList());
        assertThat(hub.get(PATH + "/usage").json()).hasSize(5);
        added("{\"name\":\"f\"}");
        refused(hub.get(PATH), 413, "readings.max-results");
        refused(hub.get(PATH + "/usage"), 413, "readings.max-results");
        refused(hub.get(PATH + "/usage?names=1,2,3,4,5,6"), 413, "readings.max-results");
    }

    @Test
    void usage_says_which_have_readings() {
        added("{\"name\":\"a\"}");
        added("{\"name\":\"b\"}");
        read("a", "pump");
        read("a", "fan");
        assertThat(hub.get(PATH + "/usage?names=b,nobody,a").body())
                .isEqualTo("[{\"b\":false},{\"a\":true}]\n");
        assertThat(hub.get(PATH + "/usage?names=nobody").body()).isEqualTo("[]\n");
        assertThat(hub.get(PATH + "/usage").json()).hasSize(2);
        refused(hub.get(PATH + "/usage?names=%ff"), 400, "query");
    }

    @Test
    void those_of_a_device_are_what_its_profile_names() {
        String device =
                "{\"profile\":{\"coreCommands\":[{\"get\":{\"responses\":[{\"expectedValues\":"
                        + "[\"b\",\"nobody\",\"a\"]}]}}]}}";
        service.says("GET /api/v1/device/name/pump", 200, device)
                .says("GET /api/v1/device/17", 200, device);
        added("{\"name\":\"a\"}");
        added("{\"name\":\"b\"}");
        assertThat(names(hub.get(PATH + "/devicename/pump"))).containsExactly("b", "a");
        assertThat(names(hub.get(PATH + "/deviceid/17"))).containsExactly("b", "a");
        refused(hub.get(PATH + "/devicename/fan"), 404, "404 - not known here");
        refused(hub.get(PATH + "/deviceid/18"), 404, "404 - not known here");
    }
}
