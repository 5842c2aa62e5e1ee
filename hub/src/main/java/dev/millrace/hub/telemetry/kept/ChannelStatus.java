package dev.millrace.hub.telemetry.kept;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/**
 * Whether a channel is heard of. Others write these hashes too, so everything is a text that may be
 * missing.
 *
 * @param status online, offline or error
 * @param lastUpdate seconds since 1970
 */
public record ChannelStatus(
        @JsonProperty("channel_id") String channelId,
        @Nullable String status,
        @JsonProperty("last_update") @Nullable String lastUpdate,
        @JsonProperty("error_count") @Nullable String errorCount,
        @JsonProperty("success_count") @Nullable String successCount) {
    public static final String ONLINE_WORD = "online";
    public static final String OFFLINE_WORD = "offline";
    public static final String ERROR_WORD = "error";

    public boolean online() {
        return ONLINE_WORD.equals(status);
    }
}
