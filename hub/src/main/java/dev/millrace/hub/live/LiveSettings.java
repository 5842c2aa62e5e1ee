package dev.millrace.hub.live;

import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** The settings of live feeds. */
public record LiveSettings(
        @Setting(
                        about = "how many clients may listen to feeds at once",
                        standard = "20000",
                        least = "1",
                        most = "1000000")
                int maxClients,
        @Setting(
                        about = "after how long a silent connection is sent a sign of life",
                        standard = "15s",
                        least = "100ms")
                Duration heartbeat,
        @Setting(
                        about =
                                "how long a client may take nothing of what waits for it, before it"
                                        + " is cut",
                        standard = "60s",
                        least = "100ms")
                Duration slowTimeOut,
        @Setting(
                        about =
                                "how many facts of each feed are kept in memory for clients that"
                                    + " are behind; who is further behind reads them from Redis",
                        standard = "4096",
                        least = "16",
                        most = "1000000")
                int recentFacts) {

    public static final Block<LiveSettings> BLOCK =
            Block.of("live", "Live feeds: server-sent events and WebSocket", LiveSettings.class);
}
