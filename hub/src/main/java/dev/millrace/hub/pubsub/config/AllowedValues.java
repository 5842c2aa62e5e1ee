package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Section;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What values of the reference's configuration may be. */
record AllowedValues(Section section) {
    /** Addresses that are nobody's on the internet: what is behind a router, or this machine. */
    static final List<Network> PRIVATE =
            Stream.of(
                            "10.0.0.0/8",
                            "172.16.0.0/12",
                            "192.168.0.0/16",
                            "fc00::/7",
                            "127.0.0.0/8",
                            "169.254.0.0/16",
                            "::1/128",
                            "fe80::/10")
                    .map(Network::of)
                    .toList();

    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7e\\x80-\\xff]*");

    static boolean isHeaderName(String name) {
        return HEADER_NAME.matcher(name).matches();
    }

    static String headerValue(String text) {
        if (!HEADER_VALUE.matcher(text).matches()) {
            throw new IllegalArgumentException("A header is one line of plain letters.");
        }
        return text;
    }

    Duration positive(String name, Duration standard) {
        return section.get(
                name,
                standard,
                plain -> {
                    Duration time = TimeText.parse(plain);
                    if (!time.isPositive()) {
                        throw new IllegalArgumentException(
                                "'%s' is not a time above zero.".formatted(plain.text()));
                    }
                    return time;
                });
    }

    Duration notNegative(String name, Duration standard) {
        return section.get(
                name,
                standard,
                plain -> {
                    Duration time = TimeText.parse(plain);
                    if (time.isNegative()) {
                        throw new IllegalArgumentException(
                                "'%s' is below zero.".formatted(plain.text()));
                    }
                    return time;
                });
    }

    /** Zero means the default. */
    Duration orDefault(String name, Duration standard) {
        Duration given = notNegative(name, standard);
        return given.isZero() ? standard : given;
    }

    int number(String name, int standard, int least) {
        return section.get(
                name,
                standard,
                plain -> {
                    if (plain.text().matches("[0-9]{1,9}")) {
                        int number = Integer.parseInt(plain.text());
                        if (number >= least) {
                            return number;
                        }
                    }
                    throw new IllegalArgumentException(
                            "'%s' is not a whole number of at least %d."
                                    .formatted(plain.text(), least));
                });
    }

    double decimal(String name, double standard, double least, double most) {
        return section.get(
                name,
                standard,
                plain -> {
                    try {
                        double number = Double.parseDouble(plain.text());
                        if (number >= least && number <= most) {
                            return number;
                        }
                    } catch (NumberFormatException e) {
                        // said below
                    }
                    throw new IllegalArgumentException(
                            "'%s' is not a number from %s to %s."
                                    .formatted(plain.text(), least, most));
                });
    }

    int size(String name, int standard, Bytes most) {
        return section.get(
                name,
                standard,
                plain -> {
                    Bytes size = Bytes.of(plain.text());
                    if (size.count() < 1 || size.count() > most.count()) {
                        throw new IllegalArgumentException(
                                "'%s' is out of bounds; use 1 to %s."
                                        .formatted(plain.text(), most));
                    }
                    return size.toInt();
                });
    }

    /** An empty list means private addresses. */
    List<Network> networks(String name) {
        List<Network> networks = section.list(name, plain -> Network.of(plain.text()));
        return networks.isEmpty() ? PRIVATE : networks;
    }
}
