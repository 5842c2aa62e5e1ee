package dev.millrace.hub.readings.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.readings.MetadataService;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

class LastReportsTest {
    private final MetadataService service = new MetadataService();
    private final Metadata metadata = new Metadata(new Outside(), Optional.of(service.url()));
    private final SimpleMeterRegistry figures = new SimpleMeterRegistry();
    private final AtomicLong now = new AtomicLong(1000);

    @AfterEach
    void stop() {
        metadata.close();
        service.close();
    }

    private LastReports open(boolean devices, boolean services, int most) {
        return new LastReports(
                new MetadataSettings(Optional.of(service.url()), false, devices, services),
                metadata,
                () -> Instant.ofEpochMilli(now.get()),
                figures,
                most);
    }

    private double dropped() {
        return figures.get("millrace.readings.last.reports.dropped").counter().count();
    }

    @Test
    void a_device_is_checked_and_its_two_times_are_told() {
        service.says("GET /api/v1/device/check/pump", 200, "")
                .says("PUT /api/v1/device/name/pump/lastconnected/1000", 200, "");
        try (LastReports reports = open(true, false, 10)) {
            reports.noted("pump");
            await().untilAsserted(
                            () ->
                                    assertThat(service.asked())
                                            .containsExactly(
                                                    "GET /api/v1/device/check/pump",
                                                    "PUT /api/v1/device/name/pump/lastconnected/1000",
                                                    "PUT /api/v1/device/name/pump/lastreported/1000"));
        }
    }

    @Test
    void a_device_that_is_not_known_there_is_not_told_and_the_next_one_is() {
        service.says("GET /api/v1/device/check/fan", 200, "");
        try (LastReports reports = open(true, false, 10)) {
            reports.noted("nobody");
            reports.noted("fan");
            await().untilAsserted(
                            () ->
                                    assertThat(service.asked())
                                            .containsExactly(
                                                    "GET /api/v1/device/check/nobody",
                                                    "GET /api/v1/device/check/fan",
                                                    "PUT /api/v1/device/name/fan/lastconnected/1000"));
        }
    }

    @Test
    void the_service_of_a_device_is_told_by_its_id() {
        service.says("GET /api/v1/device/name/pump", 200, "{\"service\":{\"id\":\"s1\"}}")
                .says("PUT /api/v1/deviceservice/s1/lastconnected/1000", 200, "");
        try (LastReports reports = open(false, true, 10)) {
            reports.noted("pump");
            await().untilAsserted(
                            () ->
                                    assertThat(service.asked())
                                            .endsWith(
                                                    "PUT /api/v1/deviceservice/s1/lastconnected/1000",
                                                    "PUT /api/v1/deviceservice/s1/lastreported/1000"));
        }
    }

    @Test
    void while_it_is_away_nobody_waits_the_oldest_is_dropped_and_the_newest_report_counts() {
        service.fallAsleep();
        try (LastReports reports = open(true, false, 2)) {
            reports.noted("first");
            await().until(() -> service.asked().size() == 1);
            reports.noted("a");
            reports.noted("b");
            reports.noted("c");
            now.set(2000);
            reports.noted("b");
            assertThat(dropped()).isEqualTo(1);
            service.says("GET /api/v1/device/check/b", 200, "");
            service.wakeUp();
            await().until(() -> service.asked().contains("GET /api/v1/device/check/c"));
            assertThat(service.asked())
                    .contains("PUT /api/v1/device/name/b/lastconnected/2000")
                    .doesNotContain("GET /api/v1/device/check/a");
        }
    }

    @Test
    void nothing_is_told_unless_somebody_wants_it() {
        try (LastReports reports = open(false, false, 1)) {
            reports.noted("a");
            reports.noted("b");
            assertThat(dropped()).isZero();
            assertThat(service.asked()).isEmpty();
        }
    }
}
