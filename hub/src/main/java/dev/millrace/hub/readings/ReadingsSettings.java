package dev.millrace.hub.readings;

import dev.millrace.hub.readings.metadata.MetadataSettings;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.work.Keep;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of events and readings.
 *
 * @param checksum of events that come as CBOR
 * @param metadata the service of EdgeX that knows the devices
 */
public record ReadingsSettings(
        // So many fit in one commit, with all their entries.
        @Setting(
                        about = "how many readings one event may have",
                        standard = "500",
                        least = "1",
                        most = "650")
                int maxReadings,
        @Setting(
                        about =
                                "how many events, readings or value descriptors one query may ask"
                                        + " for",
                        standard = "50000",
                        least = "1",
                        most = "10000000")
                int maxResults,
        @Setting(
                        about =
                                "whether events and readings are stored; if not, events are only"
                                        + " announced",
                        standard = "true")
                boolean persist,
        @Setting(
                        about = "the checksum of events that come as CBOR: xxhash or md5",
                        standard = "xxhash")
                Checksum checksum,
        @Setting(
                        about =
                                "whether a reading needs a value descriptor of its name, and a"
                                        + " value that fits it",
                        standard = "false")
                boolean validate,
        MetadataSettings metadata,
        @Setting(
                        about =
                                "how old events and readings may become, by the time they were"
                                        + " created, before they are removed",
                        empty = "any age",
                        least = "1s")
                Optional<Duration> keepAge,
        // At a device a second with two readings, three weeks; in memory, some gigabytes.
        @Setting(
                        about =
                                "how many events and readings are kept, the newest ones; off for"
                                        + " any number",
                        standard = "5000000")
                Keep.Count keepCount,
        @Setting(
                        about =
                                "how much memory events and readings may take with their indexes,"
                                        + " by estimate; off for any size",
                        empty = "half of the maxmemory of Redis; 2GB where it has none")
                Optional<Keep.Size> keepBytes,
        OnMqtt mqtt) {

    public static final Block<ReadingsSettings> BLOCK =
            Block.of("readings", "Events and readings of devices", ReadingsSettings.class);

    /** What is done by MQTT. */
    public record OnMqtt(
            @Setting(
                            about =
                                    "whether events that are sent to edgex/events/# by MQTT are"
                                            + " stored",
                            standard = "true")
                    boolean ingest,
            @Setting(
                            about =
                                    "whether every event that was stored is sent to"
                                            + " millrace/events/{device} by MQTT",
                            standard = "true")
                    boolean announce) {}

    /** How many events and readings are kept, and how long. */
    Keep keep() {
        return Keep.of(keepAge, keepCount, keepBytes);
    }

    /** The same under the names that EdgeX has for it. */
    Map<String, Map<String, Object>> config() {
        return Map.of(
                "Writable",
                Map.of(
                        "PersistData",
                        persist,
                        "ValidateCheck",
                        validate,
                        "MetaDataCheck",
                        metadata.check(),
                        "DeviceUpdateLastConnected",
                        metadata.updateDevice(),
                        "ServiceUpdateLastConnected",
                        metadata.updateService(),
                        "ChecksumAlgo",
                        checksum == Checksum.XXHASH ? "xxHash" : "md5"),
                "Service",
                Map.of("MaxResultCount", maxResults),
                "Clients",
                metadata.url().map(ReadingsSettings::client).orElse(Map.of()),
                "MessageQueue",
                Map.of("Type", "", "Protocol", "", "Host", "", "Port", 0, "Topic", "events"));
    }

    private static Map<String, Object> client(URI url) {
        return Map.of(
                "Metadata",
                Map.of(
                        "Protocol",
                        url.getScheme(),
                        "Host",
                        url.getHost(),
                        "Port",
                        url.getPort() > 0
                                ? url.getPort()
                                : url.getScheme().equals("https") ? 443 : 80));
    }
}
