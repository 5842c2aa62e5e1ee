package dev.millrace.hub.documents;

import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.MqttException;
import dev.millrace.hub.mqtt.Outgoing;
import dev.millrace.hub.mqtt.Sender;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Fact;
import dev.millrace.keyspace.Feed;
import dev.millrace.keyspace.FeedReader;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.Shards;
import dev.millrace.keyspace.Topic;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;

import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells MQTT what changed: every fact of the feed becomes one message, in the order of the writes.
 * One hub of a site does it, whichever has the duty; its place in the feed lies in Redis and moves
 * when the broker has acknowledged. So while the broker is away events wait, and after a crash some
 * come twice, with the same number, and none is missing.
 *
 * <p>They do not wait for ever. When the broker was away for so long that facts had to be dropped,
 * all documents of the shard are sent as changed instead, and then what came after. (What was
 * deleted meanwhile is not told; whoever needs to know loads again.)
 */
final class EventSender implements AutoCloseable {
    static final String NAME = "documents-events";

    /** With the largest documents about a hundred megabytes. */
    private static final int MOST = 64;

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration BROKER_AWAY = Duration.ofSeconds(1);
    private static final int RESENT_BYTES = 256 << 10;
    private static final Logger log = LoggerFactory.getLogger(EventSender.class);

    private final Keyspace keyspace;
    private final String base;
    private final DocumentReads reads;
    private final FeedReader reader;
    private final Sender sender;
    private final Duty duty;
    private boolean away;

    private EventSender(
            Keyspace keyspace,
            DocumentsSettings settings,
            DocumentReads reads,
            Mqtt mqtt,
            MeterRegistry figures) {
        this.keyspace = keyspace;
        this.base = settings.topic() + "/";
        this.reads = reads;
        this.reader = keyspace.feed(DocumentWrites.TOPIC).reader(NAME, Topic.Behind.GAP, false);
        this.sender = mqtt.sender(NAME);
        this.duty = Duty.start(keyspace, NAME, figures, this::step);
    }

    /** Begins to send; empty, and nothing waits for it, if there is no MQTT. */
    static Optional<EventSender> start(
            Keyspace keyspace,
            DocumentsSettings settings,
            DocumentReads reads,
            Mqtt mqtt,
            MeterRegistry figures) {
        if (!mqtt.on()) {
            Feed feed = keyspace.feed(DocumentWrites.TOPIC);
            feed.forget(NAME);
            return Optional.empty();
        }
        return Optional.of(new EventSender(keyspace, settings, reads, mqtt, figures));
    }

    private Duration step(Duty.Turn turn) {
        try {
            for (FeedReader.Unread unread : reader.next(MOST, WAIT)) {
                if (turn.mine()) {
                    unread.gap().ifPresent(gap -> resend(unread, gap, turn));
                    tell(unread, turn);
                }
            }
            if (away) {
                away = false;
                log.info("Changes of documents are announced by MQTT again.");
            }
            return Duration.ZERO;
        } catch (MqttException e) {
            if (!away) {
                away = true;
                log.warn(
                        "Changes of documents cannot be announced by MQTT, and wait. reason={}",
                        e.getMessage());
            }
            return BROKER_AWAY;
        }
    }

    private void tell(FeedReader.Unread unread, Duty.Turn turn) {
        if (unread.facts().isEmpty()) {
            return;
        }
        List<Outgoing> messages = new ArrayList<>(unread.facts().size());
        for (Fact fact : unread.facts()) {
            add(
                    messages,
                    Facts.namespace(fact.body()),
                    Facts.message(fact.body()),
                    Map.of(
                            "seq", Long.toString(fact.number()),
                            "at", Long.toString(fact.time())));
        }
        send(messages);
        finished(
                reader.commit(unread)
                        .read(unread, unread.facts().getLast())
                        .fenced(turn.lease())
                        .run());
    }

    /** What cannot be a topic never becomes one: a broker would cut the connection for it. */
    private void add(
            List<Outgoing> messages,
            String namespace,
            byte[] payload,
            Map<String, String> properties) {
        try {
            messages.add(new Outgoing(base + namespace, payload, properties));
        } catch (IllegalArgumentException e) {
            log.warn(
                    "A change cannot be announced: its namespace is no topic. reason={}",
                    e.getMessage());
        }
    }

    private void send(List<Outgoing> messages) {
        try {
            sender.send(messages);
        } catch (MqttException e) {
            if (e.refused().isEmpty()) {
                throw e;
            }
            // Sending them again would hold up all others for ever.
            log.warn("Some changes are not announced. reason={}", e.getMessage());
        }
    }

    /** CONFLICT: another hub has taken over, and goes on from where the cursor is. */
    private static void finished(Outcome<Long> outcome) {
        if (!outcome.failedBy(Reason.CONFLICT)) {
            outcome.orThrow();
        }
    }

    private void resend(FeedReader.Unread unread, FeedReader.Gap gap, Duty.Turn turn) {
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
                        sendState(some);
                        bytes[0] = 0;
                    }
                    some.add(document);
                    bytes[0] += document.json().length;
                });
        sendState(some);
        finished(reader.commit(unread).gapClosed(unread, gap).fenced(turn.lease()).run());
    }

    private boolean livesIn(FeedReader.Unread unread, Document document) {
        return !keyspace.redis().cluster()
                || Shards.shard(document.topLevelNamespace()) == unread.place().shard();
    }

    private void sendState(List<Document> some) {
        if (!some.isEmpty()) {
            String namespace = some.getFirst().topLevelNamespace();
            List<Outgoing> messages = new ArrayList<>(1);
            add(
                    messages,
                    namespace,
                    Facts.message(Facts.changed(namespace, some)),
                    Map.of("resend", "true"));
            send(messages);
            some.clear();
        }
    }

    @Override
    public void close() {
        duty.close();
        sender.close();
    }
}
