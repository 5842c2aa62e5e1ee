package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** The settings of live values by WebSocket. */
public record RealtimeSettings(
        @Setting(
                        about = "how many clients may be connected to /ws at once",
                        standard = "10000",
                        least = "1",
                        most = "1000000")
                int maxClients,
        @Setting(
                        about = "how many subscriptions one client may have",
                        standard = "100",
                        least = "1",
                        most = "10000")
                int maxSubscriptions,
        @Setting(
                        about =
                                "how many messages that must not be left out may wait for one"
                                        + " client before it is closed",
                        standard = "1000",
                        least = "1",
                        most = "1000000")
                int bufferMessages,
        @Setting(about = "how many bytes of them", standard = "4MiB", least = "1KiB", most = "1GiB")
                Bytes bufferSize,
        @Setting(
                        about =
                                "how long a client may take nothing of what waits for it, before it"
                                        + " is closed",
                        standard = "30s",
                        least = "100ms")
                Duration slowTimeOut,
        @Setting(about = "how long a client has to say who it is", standard = "5s", least = "100ms")
                Duration signInTimeOut,
        @Setting(
                        about = "how often clients are sent a sign of life",
                        standard = "30s",
                        least = "100ms")
                Duration heartbeat,
        @Setting(
                        about = "how long a client may be silent before it is closed",
                        standard = "5m",
                        least = "100ms")
                Duration idleTimeOut,
        @Setting(
                        about = "how many messages a client may send in a minute",
                        standard = "1000",
                        least = "1",
                        most = "1000000")
                int messagesPerMinute) {}
