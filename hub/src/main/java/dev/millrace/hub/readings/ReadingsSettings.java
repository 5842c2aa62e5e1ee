package dev.millrace.hub.readings;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;
import dev.millrace.hub.work.Keep;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings of events and readings.
 *
 * @param maxReadings how many one event may have
 * @param maxResults how many events or readings one query may ask for
 * @param persist whether they are stored; if not, they are only announced
 * @param checksum of events that come as CBOR
 * @param validate whether values must be what their value descriptor says
 * @param metadata the service of EdgeX that knows the devices
 * @param keep how many events and readings are kept, and how long
 * @param ingest whether events are taken from MQTT
 * @param announce whether events that were stored are told of on MQTT
 */
public record ReadingsSettings(
        int maxReadings,
        int maxResults,
        boolean persist,
        Checksum checksum,
        boolean validate,
        MetadataSettings metadata,
        Keep keep,
        boolean ingest,
        boolean announce) {

    /** So many fit in one commit, with all their entries. */
    private static final int MOST_READINGS = 650;

    private static final Key<Integer> MAX_READINGS =
            Key.of(
                    "readings.max-readings",
                    Kind.number(1, MOST_READINGS),
                    "500",
                    "how many readings one event may have");

    private static final Key<Integer> MAX_RESULTS =
            Key.of(
                    "readings.max-results",
                    Kind.number(1, 10_000_000),
                    "50000",
                    "how many events, readings or value descriptors one query may ask for");

    private static final Key<Boolean> PERSIST =
            Key.of(
                    "readings.persist",
                    Kind.YES_OR_NO,
                    "true",
                    "whether events and readings are stored; if not, events are only announced");

    private static final Key<Checksum> CHECKSUM =
            Key.of(
                    "readings.checksum",
                    Kind.choice(Checksum.class),
                    "xxhash",
                    "the checksum of events that come as CBOR: xxhash or md5");

    private static final Key<Boolean> VALIDATE =
            Key.of(
                    "readings.validate",
                    Kind.YES_OR_NO,
                    "false",
                    "whether a reading needs a value descriptor of its name, and a value that fits"
                            + " it");

    /** At a device a second with two readings, three weeks; in memory, some gigabytes. */
    private static final Keep.Settings KEEP =
            Keep.settings("readings", "events and readings", 5_000_000);

    private static final Key<Boolean> INGEST =
            Key.of(
                    "readings.mqtt.ingest",
                    Kind.YES_OR_NO,
                    "true",
                    "whether events that are sent to edgex/events/# by MQTT are stored");

    private static final Key<Boolean> ANNOUNCE =
            Key.of(
                    "readings.mqtt.announce",
                    Kind.YES_OR_NO,
                    "true",
                    "whether every event that was stored is sent to millrace/events/{device} by"
                            + " MQTT");

    static final Keys.Group KEYS = new Keys.Group("Events and readings of devices", keys());

    private static List<Key<?>> keys() {
        List<Key<?>> all =
                new ArrayList<>(List.of(MAX_READINGS, MAX_RESULTS, PERSIST, CHECKSUM, VALIDATE));
        all.addAll(MetadataSettings.KEYS);
        all.addAll(KEEP.keys());
        all.addAll(List.of(INGEST, ANNOUNCE));
        return all;
    }

    public static final Block<ReadingsSettings> BLOCK = new Block<>(KEYS, ReadingsSettings::read);

    static ReadingsSettings read(Values values) {
        return new ReadingsSettings(
                values.get(MAX_READINGS),
                values.get(MAX_RESULTS),
                values.get(PERSIST),
                values.get(CHECKSUM),
                values.get(VALIDATE),
                MetadataSettings.read(values),
                KEEP.read(values),
                values.get(INGEST),
                values.get(ANNOUNCE));
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
