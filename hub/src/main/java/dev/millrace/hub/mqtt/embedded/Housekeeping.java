package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.work.Beat;

import io.netty.handler.codec.mqtt.MqttTopicSubscription;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTConnection;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTSessionState;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTStateManager;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTUtil;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the embedded broker every second, for what it does not do by itself:
 *
 * <ul>
 *   <li>A client whose token was revoked is thrown out.
 *   <li>A session with more waiting than allowed is ended, whether its client is away or slow. Its
 *       client is told when it comes again (there is no session), and can reload; to drop only the
 *       oldest messages would leave a gap that nobody sees, and to refuse new ones would let one
 *       sleeper stop all who send. The sessions of the hub itself are not touched: for these the
 *       broker refuses what does not fit on disk any more.
 *   <li>What {@link TopicLimits} bounds is counted, and {@link ClientOwners} of nothing are
 *       forgotten.
 *   <li>A renewed certificate is taken up.
 *   <li>Sessions that were there before a restart end too when nobody comes for them; the broker
 *       forgets over a restart when they were to end, so their time begins anew.
 * </ul>
 */
final class Housekeeping implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final SimpleString RETAINED =
            SimpleString.of(MQTTUtil.MQTT_RETAIN_ADDRESS_PREFIX);

    /** Each waiting message costs some memory, however small it is. */
    private static final long MOST_WAITING = 100_000;

    private final ActiveMQServer server;
    private final Doorkeeper doorkeeper;
    private final TopicLimits limits;
    private final ClientOwners owners;
    private final Optional<Listener.Tls> tls;
    private final long maxQueue;
    private final Duration sessionExpiry;
    private final long began = System.nanoTime();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private Housekeeping(
            ActiveMQServer server,
            Doorkeeper doorkeeper,
            TopicLimits limits,
            ClientOwners owners,
            Optional<Listener.Tls> tls,
            EmbeddedBroker.Plan plan) {
        this.owners = owners;
        this.tls = tls;
        this.server = server;
        this.doorkeeper = doorkeeper;
        this.limits = limits;
        this.maxQueue = plan.settings().maxQueue().count();
        this.sessionExpiry = plan.sessionExpiry();
        this.thread = Thread.ofVirtual().name("mqtt-housekeeping").unstarted(this::run);
    }

    static Housekeeping start(
            ActiveMQServer server,
            Doorkeeper doorkeeper,
            TopicLimits limits,
            ClientOwners owners,
            Optional<Listener.Tls> tls,
            EmbeddedBroker.Plan plan) {
        Housekeeping housekeeping = new Housekeeping(server, doorkeeper, limits, owners, tls, plan);
        // What was kept over a restart counts before the first client comes.
        housekeeping.count();
        housekeeping.thread.start();
        return housekeeping;
    }

    private void run() {
        try {
            while (!closed.await(Beat.within(LOOK).toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    look();
                } catch (Exception e) {
                    log.warn(
                            "Housekeeping of the embedded MQTT broker failed. reason={}",
                            e.toString());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void count() {
        int topics = 0;
        int retained = 0;
        for (SimpleString address : server.getPostOffice().getAddresses()) {
            if (!address.startsWith(RETAINED)) {
                topics++;
            } else if (server.locateQueue(address) != null) {
                retained++;
            }
        }
        limits.counted(topics, retained);
    }

    private void look() throws Exception {
        count();
        tls.ifPresent(Listener.Tls::look);
        MQTTStateManager sessions = MQTTStateManager.getInstance(server);
        for (MQTTConnection each : sessions.getConnectedClients().values()) {
            guarded(each.getClientID(), () -> look(each));
        }
        for (Map.Entry<String, MQTTSessionState> each : sessions.getSessionStates().entrySet()) {
            guarded(each.getKey(), () -> look(sessions, each.getKey(), each.getValue()));
        }
        Set<String> present = new HashSet<>(sessions.getSessionStates().keySet());
        present.addAll(sessions.getConnectedClients().keySet());
        owners.forgetAllBut(present::contains);
    }

    private void look(MQTTConnection connection) {
        if (!doorkeeper.stillWelcome(connection)) {
            log.info(
                    "Disconnected a client that is no longer allowed. client={}",
                    connection.getClientID());
            connection.fail(null);
        }
    }

    private void look(MQTTStateManager sessions, String client, MQTTSessionState session)
            throws Exception {
        boolean oldOnesEnd = System.nanoTime() - began > sessionExpiry.toNanos();
        if (oldOnesEnd && !session.isAttached() && session.getSession() == null) {
            end(sessions, session);
        } else if (!client.startsWith(Inside.OURS) && tooMuch(session)) {
            log.warn(
                    "A session was ended, because too much waited for its client; the client is"
                            + " told when it comes again. client={} limit={}",
                    client,
                    maxQueue);
            end(sessions, session);
        }
    }

    /** A look at one client. */
    @FunctionalInterface
    private interface Look {
        void run() throws Exception;
    }

    /** What is wrong with one client must not keep the others from being looked at. */
    private static void guarded(String client, Look look) {
        try {
            look.run();
        } catch (Exception e) {
            log.warn(
                    "Could not check a client of the embedded MQTT broker. client={}"
                            + " reason={}",
                    client,
                    e.toString());
        }
    }

    private boolean tooMuch(MQTTSessionState session) {
        long bytes = 0;
        long count = 0;
        for (MqttTopicSubscription each : session.getSubscriptions()) {
            Queue queue = server.locateQueue(queueOf(session, each));
            if (queue != null) {
                bytes += queue.getPersistentSize();
                count += queue.getMessageCount();
            }
        }
        return bytes > maxQueue || count > MOST_WAITING;
    }

    private SimpleString queueOf(MQTTSessionState session, MqttTopicSubscription subscription) {
        return SimpleString.of(
                MQTTUtil.getCoreQueueFromMqttTopic(
                        subscription.topicFilter(),
                        session.getClientId(),
                        server.getConfiguration().getWildcardConfiguration()));
    }

    private void end(MQTTStateManager sessions, MQTTSessionState session) throws Exception {
        MQTTConnection connection = sessions.getConnectedClient(session.getClientId());
        if (connection != null) {
            connection.fail(null);
        }
        for (MqttTopicSubscription each : session.getSubscriptions()) {
            SimpleString name = queueOf(session, each);
            if (server.locateQueue(name) != null && !isAnothersToo(sessions, session, each)) {
                server.destroyQueue(name, null, false, true);
            }
        }
        sessions.removeSessionState(session.getClientId());
        session.clear();
    }

    /** A queue that nobody takes from any more would grow until nobody could send. */
    private static boolean isAnothersToo(
            MQTTStateManager sessions, MQTTSessionState session, MqttTopicSubscription each) {
        return MQTTUtil.isSharedSubscription(each.topicFilter())
                && sessions.getSessionStates().values().stream()
                        .anyMatch(
                                other ->
                                        !other.equals(session)
                                                && other.getSubscription(each.topicFilter())
                                                        != null);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
