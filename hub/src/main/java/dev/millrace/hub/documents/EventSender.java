package dev.millrace.hub.documents;

import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.DocumentReads;
import dev.millrace.hub.documents.kept.DocumentWrites;
import dev.millrace.hub.documents.kept.Facts;
import dev.millrace.hub.mqtt.FeedSender;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Outgoing;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;

import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells MQTT what changed: every fact of the feed becomes one message, in the order of the writes,
 * at least once, with its number.
 *
 * <p>When the broker was away for so long that facts had to be dropped, all documents of the shard
 * are sent as changed instead, and then what came after. (What was deleted meanwhile is not told;
 * whoever needs to know loads again.)
 */
final class EventSender implements FeedSender.Words {
    static final String NAME = "documents-events";

    private static final FeedSender.Names NAMES = new FeedSender.Names(NAME, NAME, NAME);

    /** With the largest documents about a hundred megabytes. */
    private static final int MOST = 64;

    private static final int RESENT_BYTES = 256 << 10;
    private static final Logger log = LoggerFactory.getLogger(EventSender.class);

    private final Keyspace keyspace;
    private final String base;
    private final DocumentReads reads;

    private EventSender(Keyspace keyspace, DocumentsSettings settings, DocumentReads reads) {
        this.keyspace = keyspace;
        this.base = settings.topic() + "/";
        this.reads = reads;
    }

    /** Begins to send; empty, and nothing waits for it, if there is no MQTT. */
    static Optional<FeedSender> start(
            Keyspace keyspace,
            DocumentsSettings settings,
            DocumentReads reads,
            Mqtt mqtt,
            MeterRegistry figures) {
        if (!mqtt.on()) {
            FeedSender.forget(keyspace, DocumentWrites.TOPIC, NAMES);
            return Optional.empty();
        }
        return Optional.of(
                FeedSender.start(
                        keyspace,
                        DocumentWrites.TOPIC,
                        NAMES,
                        MOST,
                        mqtt,
                        figures,
                        new EventSender(keyspace, settings, reads)));
    }

    @Override
    public String topics() {
        return base + "#";
    }

    @Override
    public Outgoing message(Fact fact) {
        return message(
                Facts.namespace(fact.body()),
                Facts.message(fact.body()),
                Map.of(
                        "seq", Long.toString(fact.number()),
                        "at", Long.toString(fact.time())));
    }

    /**
     * What cannot be a topic never becomes one: a broker would cut the connection for it.
     *
     * @throws IllegalArgumentException if it cannot
     */
    private Outgoing message(String namespace, byte[] payload, Map<String, String> properties) {
        return new Outgoing(base + namespace, payload, properties);
    }

    @Override
    public void afterGap(FeedReader.Unread unread, FeedReader.Gap gap, FeedSender.Told told) {
        log.warn(
                "Changes were dropped before MQTT could be told; all documents are sent. first={}"
                        + " last={}",
                gap.from(),
                gap.to());
        List<Document> some = new ArrayList<>();
        int[] bytes = {0};
        reads.each(
                Optional.empty(),
                "",
                document -> {
                    if (!livesIn(unread, document)) {
                        return;
                    }
                    boolean other =
                            !some.isEmpty()
                                    && !some.getFirst()
                                            .topLevelNamespace()
                                            .equals(document.topLevelNamespace());
                    if (other || bytes[0] > RESENT_BYTES) {
                        sendState(some, told);
                        bytes[0] = 0;
                    }
                    some.add(document);
                    bytes[0] += document.json().length;
                });
        sendState(some, told);
    }

    private boolean livesIn(FeedReader.Unread unread, Document document) {
        return !keyspace.redis().cluster()
                || Shards.shard(document.topLevelNamespace()) == unread.place().shard();
    }

    private void sendState(List<Document> some, FeedSender.Told told) {
        if (some.isEmpty()) {
            return;
        }
        String namespace = some.getFirst().topLevelNamespace();
        byte[] payload = Facts.message(Facts.changed(namespace, some));
        some.clear();
        try {
            told.tell(List.of(message(namespace, payload, Map.of("resend", "true"))));
        } catch (IllegalArgumentException e) {
            log.warn(
                    "Documents cannot be announced: their namespace is not a valid topic."
                            + " reason={}",
                    e.getMessage());
        }
    }
}
