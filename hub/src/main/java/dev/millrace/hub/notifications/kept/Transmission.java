package dev.millrace.hub.notifications.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The delivery of one notification to one address, with all its attempts.
 *
 * @param notification a copy, taken when it was sent
 * @param resendCount how often it was sent again
 * @param records one for each attempt, oldest first
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Transmission(
        long created,
        long modified,
        long origin,
        String id,
        @Nullable Notification notification,
        String receiver,
        @Nullable Channel channel,
        @Nullable TransmissionStatus status,
        @JsonProperty("resendcount") @JsonInclude(JsonInclude.Include.ALWAYS) int resendCount,
        List<TransmissionRecord> records) {

    /** What JSON left away is empty. */
    public Transmission {
        id = Texts.text(id);
        receiver = Texts.text(receiver);
        records = Texts.list(records);
    }

    /** Of its notification, with which it lives. */
    public @Nullable String slug() {
        return notification == null ? null : notification.slug();
    }

    /** As it is stored when somebody brings it along. */
    public Transmission arrived(String newId, long now) {
        return new Transmission(
                created == 0 ? now : created,
                now,
                origin,
                newId,
                notification,
                receiver,
                channel == null ? null : channel.bare(),
                status,
                resendCount,
                records);
    }

    /**
     * With the record of this attempt, the first being 0; one that is there already is replaced.
     */
    public Transmission with(int attempt, TransmissionRecord record, TransmissionStatus newStatus) {
        List<TransmissionRecord> all = new ArrayList<>(records);
        if (attempt < all.size()) {
            all.set(attempt, record);
        } else {
            all.add(record);
        }
        return changed(record.sent(), newStatus, Math.max(0, all.size() - 1), all);
    }

    public Transmission escalated(long now) {
        return changed(now, TransmissionStatus.TRXESCALATED, resendCount, records);
    }

    private Transmission changed(
            long now, TransmissionStatus newStatus, int resends, List<TransmissionRecord> all) {
        return new Transmission(
                created, now, origin, id, notification, receiver, channel, newStatus, resends, all);
    }

    /** Whether the end of this attempt is known. */
    public boolean knows(int attempt) {
        return attempt < records.size() && !records.get(attempt).isAwaited();
    }
}
