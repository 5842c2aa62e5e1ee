package dev.millrace.hub.settings;

import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the value of a setting may be, and how it is read. A value arrives as a list of texts: one
 * for a plain setting, any number for a {@link #list} or {@link #map}. A parser throws
 * IllegalArgumentException with a sentence that says what to write.
 *
 * @param form how it may stand in a file
 * @param hidden in a tree, the names whose values are secret
 */
public record Kind<T>(Form form, Function<List<String>, T> parser, Set<String> hidden) {

    /** One value, a list of them, pairs of name and value, or a {@link Tree}. */
    public enum Form {
        ONE,
        LIST,
        MAP,
        TREE
    }

    private Kind(Form form, Function<List<String>, T> parser) {
        this(form, parser, Set.of());
    }

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
    private static final Pattern HOST_NAME =
            Pattern.compile("(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?");
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** Any text. */
    public static final Kind<String> TEXT = one(text -> text);

    /** A port to listen on. */
    public static final Kind<Integer> PORT = one(Kind::port);

    public static final Kind<Boolean> YES_OR_NO = one(Kind::yesOrNo);

    /** A file or directory; relative to the working directory, wherever it was written. */
    public static final Kind<Path> PATH = one(Kind::path);

    /** A name or address of this machine; an IPv6 address with or without brackets. */
    public static final Kind<String> HOST = one(Kind::host);

    public static final Kind<Network> NETWORK = one(Network::of);

    /** A plain value, read by a function of its feature. */
    public static <T> Kind<T> one(Function<String, T> parser) {
        return new Kind<>(Form.ONE, items -> parser.apply(items.getFirst()));
    }

    public static Kind<Integer> number(int least, int most) {
        return one(text -> number(text, least, most));
    }

    /** A time, as {@code 250ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 2d}. */
    public static Kind<Duration> time(Duration least) {
        return one(text -> time(text, least));
    }

    /** A {@linkplain Bytes size}. */
    public static Kind<Bytes> size(Bytes least, Bytes most) {
        return one(
                text -> {
                    Bytes size = Bytes.of(text);
                    if (size.count() < least.count() || size.count() > most.count()) {
                        throw new IllegalArgumentException(
                                "'%s' is out of bounds; use %s to %s."
                                        .formatted(text, least, most));
                    }
                    return size;
                });
    }

    /** One of the words of an enumeration, in small letters. */
    public static <E extends Enum<E>> Kind<E> choice(Class<E> words) {
        return one(text -> choice(text, words));
    }

    /** Several; in one text they are separated by commas. */
    public static <T> Kind<List<T>> list(Kind<T> of) {
        return new Kind<>(
                Form.LIST, items -> items.stream().map(each -> of.read(List.of(each))).toList());
    }

    /** Pairs, in the order they were written; in one text {@code name=value,name=value}. */
    public static <K, V> Kind<Map<K, V>> map(Kind<K> names, Kind<V> values) {
        return new Kind<>(Form.MAP, items -> map(items, names, values));
    }

    /**
     * Whatever its feature reads from it: see {@link Values#tree}. The names below it are the
     * feature's, so {@code --set} takes them too.
     *
     * @param hidden names whose values are secret
     */
    public static Kind<String> tree(String... hidden) {
        return new Kind<>(Form.TREE, items -> String.join(", ", items), Set.of(hidden));
    }

    /** Empty where nothing is said. */
    Kind<Optional<T>> optional() {
        return new Kind<>(form, items -> Optional.of(read(items)), hidden);
    }

    /**
     * The value that these texts stand for.
     *
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public T read(List<String> items) {
        return parser.apply(items);
    }

    /** One text, as a flag or the environment gives it, as a list of values. */
    List<String> split(String text) {
        if (form == Form.ONE || form == Form.TREE) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static <K, V> Map<K, V> map(List<String> items, Kind<K> names, Kind<V> values) {
        Map<K, V> pairs = new LinkedHashMap<>();
        for (String item : items) {
            int equals = item.indexOf('=');
            if (equals < 1 || equals == item.length() - 1) {
                throw new IllegalArgumentException(
                        "'%s' is not a valid pair; write name=value.".formatted(item));
            }
            K name = names.read(List.of(item.substring(0, equals).strip()));
            V value = values.read(List.of(item.substring(equals + 1).strip()));
            if (pairs.put(name, value) != null) {
                throw new IllegalArgumentException("'%s' stands there twice.".formatted(name));
            }
        }
        return Collections.unmodifiableMap(pairs);
    }

    private static int port(String text) {
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65535) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(
                "'%s' is not a valid port; use 1 to 65535, or 0 for a free one.".formatted(text));
    }

    private static int number(String text, int least, int most) {
        if (text.matches("[0-9]{1,10}")) {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return (int) number;
            }
        }
        throw new IllegalArgumentException(
                "'%s' is out of bounds; use a number from %d to %d.".formatted(text, least, most));
    }

    private static Duration time(String text, Duration least) {
        Matcher form = TIME.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a valid time; write 250ms, 30s, 5m, 1h or 2d.".formatted(text));
        }
        long number = Long.parseLong(form.group(1));
        Duration time =
                switch (form.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                };
        if (time.compareTo(least) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "'%s' is out of bounds; use %dms to %dd."
                            .formatted(text, least.toMillis(), LONGEST.toDays()));
        }
        return time;
    }

    private static boolean yesOrNo(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "'%s' is neither true nor false.".formatted(text));
        };
    }

    private static <E extends Enum<E>> E choice(String text, Class<E> words) {
        List<String> known = new ArrayList<>();
        for (E word : words.getEnumConstants()) {
            String name = word.name().toLowerCase(Locale.ROOT);
            if (name.equals(text.toLowerCase(Locale.ROOT))) {
                return word;
            }
            known.add(name);
        }
        throw new IllegalArgumentException(
                "'%s' is not one of %s.".formatted(text, String.join(", ", known)));
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'%s' is not a valid path.".formatted(text), e);
        }
    }

    private static String host(String text) {
        String bare =
                text.startsWith("[") && text.endsWith("]")
                        ? text.substring(1, text.length() - 1)
                        : text;
        if (bare.indexOf(':') >= 0) {
            try {
                InetAddress.ofLiteral(bare);
                return bare;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "'%s' is not a valid address; a port does not belong here.".formatted(text),
                        e);
            }
        }
        if (HOST_NAME.matcher(bare).matches()) {
            return bare;
        }
        throw new IllegalArgumentException(
                "'%s' is not a valid host name or address; write 127.0.0.1 or gateway.local."
                        .formatted(text));
    }
}
