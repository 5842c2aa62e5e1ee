package dev.millrace.hub.readings;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Values;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/**
 * What a metadata service is asked and told. Such a service is one of EdgeX, outside of this hub,
 * that knows devices and their profiles.
 *
 * @param check whether a device must be known there
 * @param updateDevice whether it is told when a device last reported
 * @param updateService whether it is told when the service of a device last reported
 */
public record MetadataSettings(
        Optional<URI> url, boolean check, boolean updateDevice, boolean updateService) {

    private static final Key<Optional<URI>> URL =
            Key.optional(
                            "readings.metadata.url",
                            Kind.one(MetadataSettings::url),
                            "none",
                            "where the metadata service of EdgeX is that knows the devices, as"
                                    + " http://gateway:48081")
                    .address();

    private static final Key<Boolean> CHECK =
            Key.of(
                    "readings.metadata.check",
                    Kind.YES_OR_NO,
                    "false",
                    "whether events and readings are taken only of devices that it knows");

    private static final Key<Boolean> UPDATE_DEVICE =
            Key.of(
                    "readings.metadata.update-device",
                    Kind.YES_OR_NO,
                    "false",
                    "whether it is told when a device has reported");

    private static final Key<Boolean> UPDATE_SERVICE =
            Key.of(
                    "readings.metadata.update-service",
                    Kind.YES_OR_NO,
                    "false",
                    "whether it is told when the service of a device has reported");

    static final List<Key<?>> KEYS = List.of(URL, CHECK, UPDATE_DEVICE, UPDATE_SERVICE);

    static final MetadataSettings NONE =
            new MetadataSettings(Optional.empty(), false, false, false);

    static MetadataSettings read(Values values) {
        MetadataSettings settings =
                new MetadataSettings(
                        values.get(URL),
                        values.get(CHECK),
                        values.get(UPDATE_DEVICE),
                        values.get(UPDATE_SERVICE));
        if (settings.url.isEmpty() && values.isRight(URL)) {
            settings.mustHaveUrl(values, CHECK, settings.check);
            settings.mustHaveUrl(values, UPDATE_DEVICE, settings.updateDevice);
            settings.mustHaveUrl(values, UPDATE_SERVICE, settings.updateService);
        }
        return settings;
    }

    private void mustHaveUrl(Values values, Key<Boolean> key, boolean on) {
        if (on) {
            values.problem(
                    key,
                    "There is no metadata service to ask. Say where it is, for example --set"
                            + " readings.metadata.url=http://gateway:48081, or leave this off.");
        }
    }

    private static URI url(String text) {
        try {
            URI url = new URI(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            String path = String.valueOf(url.getRawPath());
            if (web
                    && url.getHost() != null
                    && (path.isEmpty() || path.equals("/"))
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null
                    && url.getRawUserInfo() == null) {
                return new URI(url.getScheme(), null, url.getHost(), url.getPort(), "", null, null);
            }
        } catch (URISyntaxException e) {
            // Its message repeats the text; ours says what to write.
        }
        throw new IllegalArgumentException(
                "The address of a metadata service is written as http://gateway:48081.");
    }
}
