package dev.millrace.hub.documents;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.hub.mqtt.FeedSender;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Topic;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The room of JSON documents, made once for a hub. Thread-safe. */
public final class Documents implements AutoCloseable {
    /** Every change, with the documents. */
    public static final Topic TOPIC = DocumentWrites.TOPIC;

    /** What live clients may listen to. */
    public static final LiveFeed LIVE_FEED =
            LiveFeed.of("documents", TOPIC, Role.VIEWER, Rights.ROOM);

    private final List<Route> routes = new ArrayList<>();
    private final Optional<FeedSender> sender;

    private Documents(
            Keyspace keyspace,
            DocumentsSettings settings,
            String version,
            Mqtt mqtt,
            MeterRegistry figures,
            InstantSource clock) {
        DocumentReads reads = new DocumentReads(keyspace, figures);
        sender = EventSender.start(keyspace, settings, reads, mqtt, figures);
        DocumentWrites writes = new DocumentWrites(keyspace, settings, reads, clock);
        DocumentsService service = new DocumentsService(keyspace, settings, reads, writes);
        Positions positions = new Positions(keyspace.feed(TOPIC));
        routes.addAll(new DocPagesApi(settings, version).routes());
        routes.addAll(new ChangesApi(keyspace.feed(TOPIC), settings).routes());
        routes.addAll(new VersionsApi(keyspace, settings, service, positions).routes());
        routes.addAll(new TransferApi(settings, reads, service).routes());
        routes.addAll(
                new DocumentsApi(keyspace, settings, reads, writes, service, positions).routes());
    }

    /** Opens the room; what is not yet announced by MQTT is announced from now on. */
    public static Documents open(
            Keyspace keyspace,
            DocumentsSettings settings,
            String version,
            Mqtt mqtt,
            MeterRegistry figures,
            InstantSource clock) {
        return new Documents(keyspace, settings, version, mqtt, figures, clock);
    }

    /** What the doctor says about the names that documents have. Changes nothing. */
    public static List<String> advice(Keyspace keyspace) {
        return GeneralNames.advice(keyspace.bytes(DocumentsLayouts.DOCUMENTS));
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void close() {
        sender.ifPresent(FeedSender::close);
    }
}
