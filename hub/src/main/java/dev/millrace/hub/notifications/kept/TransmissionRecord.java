package dev.millrace.hub.notifications.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;

import java.util.Locale;

/**
 * One attempt to send something.
 *
 * @param status a word of {@link TransmissionStatus}, not checked where others wrote it
 * @param response what the other side said, or what went wrong
 * @param sent when
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record TransmissionRecord(String status, String response, long sent) {
    private static final String AWAITED = "No answer yet; it is awaited.";

    /** What JSON left away is empty. */
    public TransmissionRecord {
        status = Texts.text(status).toUpperCase(Locale.ROOT);
        response = Texts.text(response);
    }

    public static TransmissionRecord of(TransmissionStatus status, String response, long sent) {
        return new TransmissionRecord(status.name(), response, sent);
    }

    /** Stands for an attempt that takes long, until its end is known. */
    public static TransmissionRecord awaited(long sent) {
        return of(TransmissionStatus.FAILED, AWAITED, sent);
    }

    boolean isAwaited() {
        return response.equals(AWAITED);
    }
}
