package dev.millrace.hub.readings.metadata;

import dev.millrace.hub.settings.Checked;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Setting;

import java.net.URI;
import java.net.URISyntaxException;
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
        @Setting(
                        about =
                                "where the metadata service of EdgeX is that knows the devices, as"
                                        + " http://gateway:48081",
                        empty = "none",
                        by = "address",
                        secrecy = Key.Secrecy.ADDRESS)
                Optional<URI> url,
        @Setting(
                        about =
                                "whether events and readings are taken only of devices that it"
                                        + " knows",
                        standard = "false")
                boolean check,
        @Setting(about = "whether it is told when a device has reported", standard = "false")
                boolean updateDevice,
        @Setting(
                        about = "whether it is told when the service of a device has reported",
                        standard = "false")
                boolean updateService)
        implements Checked {

    public static final MetadataSettings NONE =
            new MetadataSettings(Optional.empty(), false, false, false);

    @Override
    public void check(Problems problems) {
        if (url.isEmpty() && problems.isRight("url")) {
            mustHaveUrl(problems, "check", check);
            mustHaveUrl(problems, "update-device", updateDevice);
            mustHaveUrl(problems, "update-service", updateService);
        }
    }

    private static void mustHaveUrl(Problems problems, String setting, boolean on) {
        if (on) {
            problems.note(
                    setting,
                    "There is no metadata service to ask. Say where it is, for example --set"
                            + " readings.metadata.url=http://gateway:48081, or leave this off.");
        }
    }

    static URI address(String text) {
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
