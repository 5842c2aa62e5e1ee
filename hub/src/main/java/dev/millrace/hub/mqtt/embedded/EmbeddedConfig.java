package dev.millrace.hub.mqtt.embedded;

import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.settings.impl.PageFullMessagePolicy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How the embedded broker is set up: as small as it can be, and nothing in it without a bound.
 *
 * <ul>
 *   <li>Durable: the journal is synced before a message is acknowledged.
 *   <li>Memory: an address keeps some megabytes of waiting messages in memory, all of them together
 *       some tens; what is more lies on disk.
 *   <li>Disk: an address whose waiting messages reach the limit refuses further ones (the sender is
 *       disconnected, unacknowledged, and comes again). Before that, {@link Housekeeping} ends the
 *       session that lets them pile up.
 *   <li>Topics: those that nobody listens to are forgotten after a while, and {@link TopicLimits}
 *       says how many there are at a time.
 *   <li>Nothing of what the broker offers for its own administration is switched on.
 * </ul>
 */
final class EmbeddedConfig {
    /** For guests, and for the hub's own connections, which guests must not crowd out. */
    static final String GUESTS = "mqtt";

    static final String INSIDE = "inside";

    private static final long MEMORY_OF_AN_ADDRESS = 4L << 20;
    private static final long MEMORY_OF_ALL = 64L << 20;
    private static final int PAGE = 1 << 20;
    private static final int JOURNAL_FILE = 2 << 20;

    /** A topic that is in use all the time is made anew after so long, which costs a write. */
    private static final Duration FORGETTING = Duration.ofMinutes(10);

    /** How often the disk is synced at most while many wait: a compromise of delay and rate. */
    private static final Duration GATHERING = Duration.ofNanos(250_000);

    /** Each client may have so many, of topics that may be long. */
    private static final int TOPIC_ALIASES = 100;

    private static final int NO_LIMIT = -1;

    private EmbeddedConfig() {}

    static Configuration of(EmbeddedBroker.Plan plan, Path directory) throws Exception {
        Configuration config =
                new ConfigurationImpl()
                        .setName("millrace")
                        .setPersistenceEnabled(true)
                        .setJournalType(JournalType.NIO)
                        .setJournalDirectory(directory.resolve("journal").toString())
                        .setBindingsDirectory(directory.resolve("bindings").toString())
                        .setPagingDirectory(directory.resolve("paging").toString())
                        .setLargeMessagesDirectory(directory.resolve("large").toString())
                        .setJournalFileSize(JOURNAL_FILE)
                        .setJournalMinFiles(2)
                        .setJournalPoolFiles(4)
                        .setJournalSyncTransactional(true)
                        .setJournalSyncNonTransactional(true)
                        .setJournalBufferTimeout_NIO(Math.toIntExact(GATHERING.toNanos()))
                        .setPersistIDCache(false)
                        .setGlobalMaxSize(MEMORY_OF_ALL)
                        .setMaxDiskUsage(95)
                        .setThreadPoolMaxSize(8)
                        .setScheduledThreadPoolMaxSize(2)
                        .setSecurityEnabled(true)
                        .setAuthenticationCacheSize(0)
                        .setAuthorizationCacheSize(0)
                        .setClusterUser(UUID.randomUUID().toString())
                        .setClusterPassword(UUID.randomUUID().toString())
                        .setJMXManagementEnabled(false)
                        .setMessageCounterEnabled(false)
                        .setResolveProtocols(false)
                        // Topics are addresses as they are.
                        .setWildCardConfiguration(
                                new WildcardConfiguration()
                                        .setDelimiter('/')
                                        .setAnyWords('#')
                                        .setSingleWord('+'))
                        .addAddressSetting("#", addresses(plan.settings()));
        config.setMqttSessionScanInterval(Duration.ofSeconds(5).toMillis());
        config.addAcceptorConfiguration(acceptor(plan, GUESTS));
        config.addAcceptorConfiguration(acceptor(plan, INSIDE));
        return config;
    }

    private static AddressSettings addresses(EmbeddedSettings settings) {
        long queue = settings.maxQueue().count();
        return new AddressSettings()
                .setAutoCreateAddresses(true)
                .setAutoDeleteAddresses(true)
                // By itself it would remember each topic to which nobody ever listened.
                .setAutoDeleteAddressesSkipUsageCheck(true)
                .setAutoDeleteAddressesDelay(FORGETTING.toMillis())
                .setAutoCreateQueues(true)
                .setAutoDeleteQueues(true)
                .setMaxSizeBytes(Math.min(MEMORY_OF_AN_ADDRESS, queue))
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                .setPageSizeBytes(PAGE)
                .setPageLimitBytes(4 * queue)
                .setPageFullMessagePolicy(PageFullMessagePolicy.FAIL)
                // A message is not lost because its receiver failed ten times.
                .setMaxDeliveryAttempts(-1);
    }

    private static TransportConfiguration acceptor(EmbeddedBroker.Plan plan, String name) {
        Map<String, Object> transport = new HashMap<>();
        transport.put(TransportConstants.PROTOCOLS_PROP_NAME, "MQTT");
        // It does not listen itself: connections are handed over by Listener.
        transport.put(TransportConstants.HTTP_UPGRADE_ENABLED_PROP_NAME, true);
        transport.put(TransportConstants.REMOTING_THREADS_PROPNAME, 1);
        // Listener sees to these.
        transport.put(TransportConstants.CONNECTIONS_ALLOWED, NO_LIMIT);
        transport.put(TransportConstants.HANDSHAKE_TIMEOUT, 0);
        Map<String, Object> mqtt = new HashMap<>();
        mqtt.put("maximumPacketSize", plan.settings().maxMessage().toInt());
        mqtt.put("topicAliasMaximum", TOPIC_ALIASES);
        mqtt.put(
                "defaultMqttSessionExpiryInterval",
                Math.toIntExact(plan.sessionExpiry().toSeconds()));
        return new TransportConfiguration(
                NettyAcceptorFactory.class.getName(), transport, name, mqtt);
    }
}
