package dev.millrace.hub.history.batches;

import dev.millrace.hub.settings.Setting;

import java.time.Duration;

/** Whether what is recorded is handed over to another store, and with how much patience. */
public record BatchSettings(
        @Setting(
                        about =
                                "keep what is recorded as batches too, for another store, until"
                                        + " they are acknowledged",
                        standard = "false")
                boolean on,
        @Setting(
                        about =
                                "after how long a batch that nobody acknowledges is offered again;"
                                        + " after as long once more it has failed",
                        standard = "1h",
                        least = "1s")
                Duration retryAfter,
        @Setting(
                        about = "how long batches are kept that were written or have failed",
                        standard = "1h",
                        least = "1s")
                Duration keep,
        @Setting(
                        about =
                                "how many may wait to be acknowledged; where there are more, the"
                                        + " oldest fail",
                        standard = "10000",
                        least = "1")
                int most) {}
