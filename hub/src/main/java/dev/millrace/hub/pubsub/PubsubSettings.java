package dev.millrace.hub.pubsub;

import java.time.Duration;

public record PubsubSettings(
        String storageId,
        Duration longPollingMaxTimeout,
        int pollingMaxMessages,
        int maxMessageBytes,
        String pathPrefix) {
    public static PubsubSettings standard() {
        return new PubsubSettings("redis1", Duration.ofSeconds(30), 1000, 1 << 20, "");
    }
}
