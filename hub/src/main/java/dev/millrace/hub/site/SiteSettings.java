package dev.millrace.hub.site;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** The settings of what belongs to the whole site. */
record SiteSettings(
        @Setting(
                        about =
                                "how often services say that they run; silent for three times, they"
                                        + " are in error",
                        standard = "5s",
                        least = "1s",
                        most = "1m")
                Duration heartbeat,
        @Setting(
                        about = "how long a temporary key stays that somebody wrote without saying",
                        standard = "5m",
                        least = "1s",
                        most = "24h")
                Duration tempTime,
        @Setting(
                        about = "how long a session lasts without a request",
                        standard = "30m",
                        least = "1m",
                        most = "7d")
                Duration sessionTime) {

    static final Block<SiteSettings> BLOCK =
            Block.of("site", "Status, locks, jobs and temporary keys", SiteSettings.class);
}
