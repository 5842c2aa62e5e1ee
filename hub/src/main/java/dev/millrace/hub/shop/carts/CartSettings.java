package dev.millrace.hub.shop.carts;

import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** The settings that begin with {@code shop.carts}. */
public record CartSettings(
        @Setting(
                        about = "the largest quantity of one item in a cart",
                        standard = "10000",
                        least = "1",
                        most = "1000000000")
                int quantity,
        @Setting(
                        about = "how many different items a cart may hold",
                        standard = "100",
                        least = "1",
                        most = "1000")
                int lines,
        @Setting(
                        about = "how long a cart without a session is kept after its last change",
                        standard = "720h",
                        least = "1s")
                Duration idle) {}
