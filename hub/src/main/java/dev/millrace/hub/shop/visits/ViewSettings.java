package dev.millrace.hub.shop.visits;

import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** The settings that begin with {@code shop.views}. */
public record ViewSettings(
        @Setting(
                        about = "how many views of a visitor are kept",
                        standard = "25",
                        least = "1",
                        most = "1000")
                int kept,
        @Setting(
                        about =
                                "within which time several views of one visitor on one item count"
                                        + " once for its popularity",
                        standard = "10s",
                        least = "0s")
                Duration window,
        @Setting(
                        about =
                                "how many of the most popular items are kept when they are"
                                        + " rescaled",
                        standard = "20000",
                        least = "1",
                        most = "100000")
                int popular,
        @Setting(
                        about = "how many of the most popular items are worth caching their pages",
                        standard = "10000",
                        least = "0",
                        most = "100000")
                int cacheable,
        @Setting(
                        about = "how often the popularity of all items is halved",
                        standard = "300s",
                        least = "1s")
                Duration rescale) {}
