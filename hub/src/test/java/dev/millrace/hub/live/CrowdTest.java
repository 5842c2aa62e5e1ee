package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

class CrowdTest {
    @Test
    void clients_that_fail_are_cut_off_and_keep_nobody_from_being_looked_at() {
        LiveMetrics metrics = new LiveMetrics(new SimpleMeterRegistry());
        LiveSettings impatient =
                new LiveSettings(100, Duration.ofNanos(1), Duration.ofSeconds(60), 4096);
        Crowd crowd = new Crowd(Runnable::run, impatient, metrics);
        Pass pass = new Pass(null, Optional.empty(), InetAddress.getLoopbackAddress());
        for (int i = 0; i < 3; i++) {
            // Without a stream whatever is done with it fails.
            crowd.add(new SseClient(crowd, null, pass));
            metrics.joined();
        }
        crowd.tick();
        assertThat(metrics.clients()).isZero();
    }
}
