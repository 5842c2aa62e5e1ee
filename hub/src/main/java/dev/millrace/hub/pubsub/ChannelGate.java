package dev.millrace.hub.pubsub;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

final class ChannelGate {
    private static final ChannelRules RULES = new ChannelRules(Duration.ofMinutes(30), 1 << 20, 0);

    CompletionStage<ChannelRules> admit(Request request, Role needed) {
        Name.of(request.variable("channel"), "channelID");
        return CompletableFuture.completedFuture(RULES);
    }
}
