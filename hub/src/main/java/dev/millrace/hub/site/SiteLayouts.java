package dev.millrace.hub.site;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;

import java.time.Duration;
import java.util.List;

/**
 * The keys of configuration, status, events, synchronisation and temporary data. What other rooms
 * write in one commit with their own things lives with those; the rest is in the site's shard.
 */
public final class SiteLayouts {
    static final String SERVICES = "millrace:configured-services";

    static final Layout<ServiceConfiguration> SERVICE_CONFIGURATION =
            Layout.json(
                            "config:service:{service_name:shortname}",
                            ServiceConfiguration.class,
                            new ServiceConfiguration.Document(),
                            KeyGrammars.ALL)
                    .named("Service configuration")
                    .about("The settings of one service, as JSON.")
                    .bind("service_name", ServiceConfiguration::name)
                    .ownedBySite()
                    .foreign()
                    .set(SERVICES);

    static final Cell SYSTEM_CONFIGURATION =
            cell(KeyType.HASH, "config:system").about("Settings of the whole site.");

    static final Cell CONFIGURATION_VERSION =
            cell(KeyType.STRING, "config:version")
                    .about("How often configuration was changed: a number.");

    static final Cell CONFIGURATION_SNAPSHOT =
            cell(KeyType.STRING, "config:snapshot:{version:count}")
                    .about("What one change of configuration was about, as JSON; the last 50.");

    static final Cell SERVICE_STATUS =
            cell(KeyType.HASH, "status:service:{service_name:shortname}")
                    .about("status, last_heartbeat, version, uptime.");

    static final Cell HUBS =
            cell(KeyType.HASH, "millrace:hubs").about("When each hub was heard of last, in s.");

    static final Cell SYSTEM_STATUS =
            cell(KeyType.HASH, "status:system")
                    .livesWith("thing that is counted")
                    .about("total_channels, active_channels, total_models, active_alarms.");

    static final Cell EVENT_QUEUE =
            cell(KeyType.LIST, "event:queue:{event_type:shortname}")
                    .livesWith("cause of the event")
                    .about("Events of one type, newest first.");

    static final Cell EVENT_NUMBERS =
            cell(KeyType.STRING, "millrace:event-seq:{event_type:shortname}")
                    .livesWith("cause of the event")
                    .about("The number of the newest event of one type.");

    static final Cell LAST_EVENT =
            cell(KeyType.STRING, "event:last:{event_type:shortname}")
                    .livesWith("cause of the event")
                    .expires(Duration.ofHours(1))
                    .about("The newest event of one type, as JSON; kept for an hour.");

    static final Cell EVENT_TYPES =
            cell(KeyType.SET, "millrace:event-types")
                    .about("Types of events that clients have made up.");

    static final Cell CALCULATION =
            cell(KeyType.STRING, "temp:calculation:{id:shortname}")
                    .ownedBy("id")
                    .expires(Duration.ofMinutes(5))
                    .about("A result that is still being worked out; kept for five minutes.");

    static final Cell CACHE =
            cell(KeyType.STRING, "temp:cache:{key}")
                    .ownedBy("key")
                    .expires(Duration.ofMinutes(5))
                    .about("The answer to an expensive question; kept for five minutes.");

    static final Cell SESSION =
            cell(KeyType.HASH, "temp:session:{session_id:opaque}")
                    .ownedBy("session_id")
                    .about("Who is signed in.");

    private SiteLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    /** The events of one type that belong to this owner. */
    static Cell.Key events(String owner, String type) {
        return EVENT_QUEUE.of(owner, type);
    }

    /** What numbers them. */
    static Cell.Key eventNumbers(String owner, String type) {
        return EVENT_NUMBERS.of(owner, type);
    }

    static Cell.Key lastEvent(String owner, String type) {
        return LAST_EVENT.of(owner, type);
    }

    /** Where those who listen with SUBSCRIBE hear of events; no key. */
    static String eventChannel(String type) {
        return "event:" + type;
    }

    /** The counts of the things that live with this owner. */
    static Cell.Key systemStatus(String owner) {
        return SYSTEM_STATUS.of(owner);
    }

    public static List<Declaration> all() {
        return List.of(
                SERVICE_CONFIGURATION,
                SYSTEM_CONFIGURATION,
                CONFIGURATION_VERSION,
                CONFIGURATION_SNAPSHOT,
                SERVICE_STATUS,
                HUBS,
                SYSTEM_STATUS,
                EVENT_QUEUE,
                EVENT_NUMBERS,
                EVENT_TYPES,
                LAST_EVENT,
                CALCULATION,
                CACHE,
                SESSION);
    }
}
