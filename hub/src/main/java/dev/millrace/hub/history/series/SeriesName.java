package dev.millrace.hub.history.series;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One series: the values of one field of one thing over time.
 *
 * @param source what it is a thing of: {@code comsrv}, {@code model} or {@code brewblox}
 * @param id of the channel, the model or the service
 * @param field a point reference ({@code 101}, {@code S.10}) or the name of a measurement
 */
public record SeriesName(String source, String id, String field) {
    /** Device channels. */
    public static final String CHANNEL = "comsrv";

    /** Models. */
    public static final String MODEL = "model";

    /** Services that send their values by MQTT. */
    public static final String SERVICE = "brewblox";

    /** How the service of the models is called, which some take for their source. */
    private static final String MODEL_SERVICE = "modsrv";

    private static final int LONGEST_FIELD = 250;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final Pattern CHANNEL_ID = Pattern.compile("[1-9][0-9]{0,9}");

    /** A field that ends so is a roll-up of another one, and this name is that of the figures. */
    private static final Pattern RESERVED = Pattern.compile("statistics|.*\\.(1m|15m|1h|1d)");

    /** What is wrong with a name that somebody gives, in a sentence; empty if nothing is. */
    public static Optional<String> fault(String source, String id, String field) {
        Optional<String> fault = fault(source, id);
        if (fault.isPresent()) {
            return fault;
        }
        if (field.isEmpty()
                || field.indexOf(':') >= 0
                || field.chars().anyMatch(c -> c < ' ' || c == 0x7F)
                || utf8(field) > LONGEST_FIELD) {
            return Optional.of(
                    "A field is a text without :, of 1 to %d bytes.".formatted(LONGEST_FIELD));
        }
        return RESERVED.matcher(field).matches()
                ? Optional.of("The field '%s' is reserved for roll-ups.".formatted(field))
                : Optional.empty();
    }

    /** The same of all series of one thing. */
    public static Optional<String> fault(String source, String id) {
        return switch (source(source)) {
            case CHANNEL ->
                    CHANNEL_ID.matcher(id).matches()
                            ? Optional.empty()
                            : Optional.of("A channel is a number from 1, not '%s'.".formatted(id));
            case MODEL, SERVICE ->
                    ID.matcher(id).matches()
                            ? Optional.empty()
                            : Optional.of(
                                    "'%s' is not an id: letters, digits and _ . -, beginning with a letter or digit."
                                            .formatted(id));
            default ->
                    Optional.of(
                            "A source is %s, %s or %s, not '%s'."
                                    .formatted(CHANNEL, MODEL, SERVICE, source));
        };
    }

    private static int utf8(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    }

    /** The source that is meant. */
    public static String source(String word) {
        return word.equals(MODEL_SERVICE) ? MODEL : word;
    }

    /** As indexes have it: {@code comsrv:1:101}; empty if the text is not the name of a series. */
    public static Optional<SeriesName> parse(String text) {
        int first = text.indexOf(':');
        int second = text.indexOf(':', first + 1);
        if (first < 0 || second < 0) {
            return Optional.empty();
        }
        String source = source(text.substring(0, first));
        String id = text.substring(first + 1, second);
        String field = text.substring(second + 1);
        return fault(source, id, field).isPresent()
                ? Optional.empty()
                : Optional.of(new SeriesName(source, id, field));
    }

    /** As indexes have it. */
    public String text() {
        return source + ":" + id + ":" + field;
    }

    /** The thing that it is a field of. */
    public Thing thing() {
        return new Thing(source, id);
    }

    @Override
    public String toString() {
        return text();
    }

    /** What series are about: a channel, a model, a service. */
    public record Thing(String source, String id) {
        /** One of its series. */
        public SeriesName field(String field) {
            return new SeriesName(source, id, field);
        }
    }
}
