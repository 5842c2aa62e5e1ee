package dev.millrace.hub.ops;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;

import dev.millrace.hub.http.Json;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A line of the log as bytes: text for people, or one JSON object. The request stands at the end of
 * a text, like the other {@code key=value} pairs; in JSON it is a field, and so are those pairs
 * that came with a name.
 */
final class LogEncoder extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);
    private static final byte[] NOTHING = {};

    private final boolean json;
    private final ZoneId zone = ZoneId.systemDefault();

    LogEncoder(boolean json) {
        this.json = json;
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        LogLine line = LogLine.of(event);
        String text = (json ? json(line, event) : text(line)) + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String text(LogLine line) {
        String logger = line.logger().substring(line.logger().lastIndexOf('.') + 1);
        return "%s %-5s %s: %s%s%s"
                .formatted(
                        TIME.format(line.at().atZone(zone)),
                        line.level().toUpperCase(Locale.ROOT),
                        logger,
                        line.message(),
                        line.request().map(id -> " request=" + id).orElse(""),
                        line.error().map(error -> "\n" + error.stripTrailing()).orElse(""));
    }

    private static String json(LogLine line, ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", line.at().toString());
        fields.put("level", line.level());
        fields.put("logger", line.logger());
        fields.put("thread", line.thread());
        fields.put("message", String.valueOf(event.getFormattedMessage()));
        line.request().ifPresent(id -> fields.put("request", id));
        line.error().ifPresent(error -> fields.put("error", error));
        LogFields.addTo(fields, event);
        return Json.MAPPER.writeValueAsString(fields);
    }
}
