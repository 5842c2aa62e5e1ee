package dev.millrace.hub.history;

import dev.millrace.hub.history.batches.BatchSettings;
import dev.millrace.hub.history.recording.RecordingSettings;
import dev.millrace.hub.history.series.Resolution;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Setting;
import dev.millrace.hub.work.Keep;

import java.time.Duration;
import java.util.Optional;

/** The settings of history. */
record HistorySettings(
        RecordingSettings record,
        @Setting(about = "how long samples are kept", standard = "30d", least = "1h")
                Duration keepAge,
        @Setting(
                        about =
                                "how much memory samples and roll-ups may take, by estimate; off"
                                        + " for any size",
                        empty = "half of the maxmemory of Redis; 2GB where it has none")
                Optional<Keep.Size> keepBytes,
        Rollups rollups,
        BatchSettings batches,
        Timeseries timeseries) {

    static final Block<HistorySettings> BLOCK =
            Block.of("history", "Samples over time", HistorySettings.class);

    /** Age is minded by the times to live. */
    Keep keep() {
        return Keep.of(Optional.empty(), new Keep.Count(Keep.NONE), keepBytes);
    }

    /** The settings that begin with {@code rollups}. */
    record Rollups(
            @Setting(about = "make roll-ups of hours that are over", standard = "true") boolean on,
            @Setting(about = "how long those of minutes are kept", standard = "90d", least = "1h")
                    Duration keepMinutes,
            @Setting(
                            about = "how long those of 15 minutes are kept",
                            standard = "365d",
                            least = "1h")
                    Duration keepQuarters,
            @Setting(about = "how long those of hours are kept", standard = "1830d", least = "1h")
                    Duration keepHours,
            @Setting(about = "how long those of days are kept", standard = "3650d", least = "1h")
                    Duration keepDays) {

        Duration of(Resolution resolution) {
            return switch (resolution) {
                case MINUTE -> keepMinutes;
                case QUARTER -> keepQuarters;
                case HOUR -> keepHours;
                case DAY -> keepDays;
            };
        }
    }

    /** The settings that begin with {@code timeseries}. */
    record Timeseries(
            @Setting(
                            about =
                                    "the service's name, which begins the paths of the time series"
                                            + " of Brewblox: /history/timeseries",
                            standard = "history",
                            by = "name")
                    String name,
            @Setting(about = "record what comes to brewcast/history/# by MQTT", standard = "true")
                    boolean ingest) {

        static String name(String text) {
            if (text.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,62}")) {
                return text;
            }
            throw new IllegalArgumentException(
                    "'%s' cannot begin a path; write letters, digits, _ and -.".formatted(text));
        }
    }
}
