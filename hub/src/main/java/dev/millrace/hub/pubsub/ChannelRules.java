package dev.millrace.hub.pubsub;

import java.time.Duration;

record ChannelRules(Duration expire, int maxMessageBytes, int maxPerSecond) {
    int seconds() {
        return (int) (expire.toMillis() + 15_999) / 1000;
    }
}
