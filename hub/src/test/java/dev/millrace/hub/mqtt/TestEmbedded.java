package dev.millrace.hub.mqtt;

import dev.millrace.hub.access.Gate;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** The embedded broker, by itself. */
final class TestEmbedded implements TestBroker {
    private static final String SECRET = "only for this test";

    private final Path directory;
    private final Gate gate;
    private MqttSettings settings;
    private @Nullable EmbeddedBroker broker;
    private @Nullable BrokerUrl url;

    TestEmbedded(Path directory, Gate gate, MqttSettings settings) {
        this.directory = directory;
        this.gate = gate;
        this.settings = settings;
        start();
        // The same port at the next start.
        this.settings = MqttSamples.withPort(settings, url().port());
    }

    @Override
    public BrokerUrl url() {
        return Objects.requireNonNull(url);
    }

    /** As somebody else than the hub. */
    BrokerUrl as(Optional<String> user, Optional<String> password) {
        return new BrokerUrl(url().host(), url().port(), false, user, password);
    }

    @Override
    public void start() {
        EmbeddedBroker started =
                EmbeddedBroker.start(settings, "127.0.0.1", directory, gate, SECRET);
        broker = started;
        url = started.target().url();
    }

    @Override
    public void stop() {
        EmbeddedBroker running = broker;
        if (running != null) {
            running.close();
        }
        broker = null;
    }
}
