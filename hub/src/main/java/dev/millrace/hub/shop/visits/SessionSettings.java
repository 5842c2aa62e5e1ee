package dev.millrace.hub.shop.visits;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Setting;

import java.time.Duration;
import java.util.regex.Pattern;

/** The settings that begin with {@code shop.sessions}. */
public record SessionSettings(
        @Setting(
                        about = "how many sessions are kept; the ones seen longest ago go first",
                        standard = "10000000",
                        least = "0",
                        most = "1000000000")
                int limit,
        @Setting(
                        about = "how many sessions the cleaner removes at a time",
                        standard = "100",
                        least = "1",
                        most = "1000")
                int batch,
        @Setting(
                        about = "how long the cleaner rests when there is nothing to do",
                        standard = "1s",
                        least = "10ms")
                Duration pause,
        @Setting(
                        about =
                                "how long a session lives that nobody uses, unless it was made with"
                                        + " a ttl of its own",
                        standard = "720h",
                        least = "1s")
                Duration idle,
        @Setting(
                        about = "how large the attributes of a session may be together",
                        standard = "64KiB",
                        least = "1KiB",
                        most = "1MiB")
                Bytes attributes,
        Cookie cookie) {

    /** The settings that begin with {@code shop.sessions.cookie}. */
    public record Cookie(
            @Setting(
                            about = "the name of the cookie that carries the token",
                            standard = "session",
                            by = "name")
                    String name,
            @Setting(
                            about =
                                    "whether browsers send the cookie over encrypted connections"
                                            + " only",
                            standard = "true")
                    boolean secure) {
        private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}");

        static String name(String text) {
            if (!NAME.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "must be 1 to 64 letters, digits or signs such as _ and -");
            }
            return text;
        }
    }
}
