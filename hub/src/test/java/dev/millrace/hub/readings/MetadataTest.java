package dev.millrace.hub.readings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.readings.metadata.Metadata;
import dev.millrace.hub.readings.metadata.Metadata.Reply.Known;
import dev.millrace.hub.readings.metadata.Metadata.Reply.Refused;
import dev.millrace.hub.readings.metadata.Metadata.Why;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

class MetadataTest {
    private final MetadataService service = new MetadataService();
    private final Metadata metadata = new Metadata(new Outside(), Optional.of(service.url()));

    @AfterEach
    void stop() {
        metadata.close();
        service.close();
    }

    @Test
    void a_device_that_it_knows_is_known() {
        service.says("GET /api/v1/device/check/pump", 200, "true")
                .says("GET /api/v1/device/check/fan", 202, "");
        assertThat(metadata.check("pump")).isEqualTo(new Known<>("pump"));
        assertThat(metadata.check("fan")).isEqualTo(new Known<>("fan"));
    }

    @Test
    void what_it_refuses_is_passed_on_with_its_words() {
        service.says("GET /api/v1/device/check/locked", 423, "locked");
        assertThat(metadata.check("nobody"))
                .isEqualTo(new Refused<>(new Why.Said(404, "404 - not known here")));
        assertThat(metadata.check("locked"))
                .isEqualTo(new Refused<>(new Why.Said(423, "423 - locked")));
    }

    /** What a client of ours is answered with. */
    private static int status(Refused<?> refused, ReadingsErrors errors) {
        return errors.status(
                new dev.millrace.hub.readings.arriving.Refused.NoDevice(refused.why()));
    }

    @Test
    void a_redirection_is_not_followed_and_not_passed_on() {
        service.says("GET /api/v1/device/check/pump", 302, "elsewhere");
        Refused<String> refused = new Refused<>(new Why.Said(302, "302 - elsewhere"));
        assertThat(metadata.check("pump")).isEqualTo(refused);
        assertThat(status(refused, ReadingsErrors.USUAL)).isEqualTo(500);
    }

    @Test
    void a_name_is_one_segment_of_the_path() {
        metadata.check("pump 1/ä?");
        assertThat(service.asked())
                .containsExactly("GET /api/v1/device/check/pump%201%2F%C3%A4%3F");
    }

    @Test
    void one_that_is_away_is_told_apart_from_one_that_refuses() {
        service.close();
        assertThat(metadata.check("pump"))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> {
                            assertThat(refused.why()).isInstanceOf(Why.Silent.class);
                            assertThat(status(refused, ReadingsErrors.USUAL)).isEqualTo(500);
                            assertThat(status(refused, new ReadingsErrors(404, 503)))
                                    .isEqualTo(503);
                            assertThat(refused.why().sentence()).contains(service.url().toString());
                        });
    }

    @Test
    void one_that_does_not_answer_is_not_waited_for() {
        service.fallAsleep();
        try (Metadata hasty =
                new Metadata(new Outside(), Optional.of(service.url()), Duration.ofMillis(50))) {
            assertThat(hasty.check("pump"))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> {
                                assertThat(refused.why()).isInstanceOf(Why.Silent.class);
                                assertThat(refused.why().sentence()).contains("within 50 ms");
                            });
        }
    }

    @Test
    void without_one_nothing_is_asked() {
        try (Metadata none = new Metadata(new Outside(), Optional.empty())) {
            assertThat(none.deviceNamed("pump"))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> {
                                assertThat(status(refused, ReadingsErrors.USUAL)).isEqualTo(501);
                                assertThat(refused.why().sentence())
                                        .contains("readings.metadata.url");
                            });
        }
    }

    @Test
    void the_values_of_a_device_are_those_of_the_commands_of_its_profile() {
        String device =
                """
                {"name":"pump","service":{"id":"s1"},"profile":{"coreCommands":[
                  {"put":{"parameterNames":["speed","mode"],
                          "responses":[{"code":"200","expectedValues":["state"]}]},
                   "get":{"responses":[{"code":"200","expectedValues":["speed","power"]},
                                       {"code":"503"}]}},
                  {"get":{"responses":[{"expectedValues":["flow"]}]}},
                  {"name":"nothing"}]}}
                """;
        service.says("GET /api/v1/device/name/pump", 200, device)
                .says("GET /api/v1/device/17", 200, device);
        Known<List<String>> names = new Known<>(List.of("speed", "mode", "state", "power", "flow"));
        assertThat(metadata.deviceNamed("pump")).isEqualTo(names);
        assertThat(metadata.device("17")).isEqualTo(names);
        assertThat(metadata.serviceOf("pump")).isEqualTo(new Known<>("s1"));
    }

    @Test
    void an_answer_that_is_no_device_has_no_values() {
        service.says("GET /api/v1/device/name/pump", 200, "oops");
        assertThat(metadata.deviceNamed("pump")).isEqualTo(new Known<>(List.of()));
    }
}
