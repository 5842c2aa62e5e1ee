package dev.millrace.hub.mqtt;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.mqtt.embedded.EmbeddedBroker;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The embedded broker, by itself. */
public final class TestEmbedded implements TestBroker {
    private static final String SECRET = "only for this test";

    final SimpleMeterRegistry figures = new SimpleMeterRegistry();
    private final Path directory;
    private final Gate gate;
    private final MqttSamples settings;

    /** The same at the next start. */
    private Optional<Integer> port = Optional.empty();

    private @Nullable TestAccess access;
    private @Nullable EmbeddedBroker broker;
    private @Nullable BrokerUrl url;

    TestEmbedded(Path directory, Gate gate, MqttSamples settings) {
        this.directory = directory;
        this.gate = gate;
        this.settings = settings;
        start();
        this.port = Optional.of(url().port());
    }

    /** Open to everybody on this machine. */
    public static TestEmbedded open(Path directory) {
        TestAccess access = new TestAccess(AccessSettings.Mode.OPEN);
        TestEmbedded opened =
                new TestEmbedded(
                        directory, access.gate(), MqttSamples.settings("mqtt.embedded.port=0"));
        opened.access = access;
        return opened;
    }

    /** With what lets a hub in as itself. */
    @Override
    public String address() {
        return "mqtt://%s:%s@127.0.0.1:%d"
                .formatted(url().user().orElseThrow(), SECRET.replace(" ", "%20"), url().port());
    }

    @Override
    public BrokerUrl url() {
        return Objects.requireNonNull(url);
    }

    /** Where it listens; the second one, if there is one, is without TLS. */
    List<Integer> ports() {
        return Objects.requireNonNull(broker).ports();
    }

    /** As somebody else than the hub. */
    BrokerUrl as(Optional<String> user, Optional<String> password) {
        return new BrokerUrl(url().host(), url().port(), false, user, password);
    }

    @Override
    public void start() {
        EmbeddedBroker started =
                EmbeddedBroker.start(
                        settings.plan(port), directory, gate, figures, SECRET, Topics::isReserved);
        broker = started;
        started.letGuestsIn();
        url =
                new BrokerUrl(
                        "127.0.0.1",
                        started.port(),
                        false,
                        Optional.of(EmbeddedBroker.USER),
                        Optional.of(SECRET));
    }

    @Override
    public void stop() {
        EmbeddedBroker running = broker;
        if (running != null) {
            running.close();
        }
        broker = null;
    }

    @Override
    public void close() {
        stop();
        if (access != null) {
            access.close();
        }
    }
}
