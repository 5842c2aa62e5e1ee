package dev.millrace.hub.pubsub;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.pubsub.webhooks.WebhookWork;

import org.junit.jupiter.api.AfterEach;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The ground of the tests of webhooks: a receiver, and channels with webhooks that call it. */
abstract class HooksContract extends PubsubContract {
    /** Far away: only a hang reaches it. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    protected HookReceiver receiver;

    static final String TOKEN = "sesame";

    @Override
    List<String> settings() {
        receiver = HookReceiver.start();
        return settings(receiver.url());
    }

    static List<String> settings(String url) {
        String quick = "interval: 20ms, intervalMultiplier: 1, intervalJitter: 0s";
        return List.of(
                "pubsub.channels=["
                        + String.join(
                                ", ",
                                "{regex: 'silent-.+'}",
                                hook("plain-.+", url + "/plain", ""),
                                hook("two-.+", url + "/one", ""),
                                hook("tw.-.+", url + "/other", ""),
                                hook(
                                        "quick-.+",
                                        url + "/quick",
                                        "retry: {count: 2, " + quick + "}"),
                                hook("none-.+", url + "/none", "retry: {count: 0, " + quick + "}"),
                                hook(
                                        "force-.+",
                                        url + "/force",
                                        "retry: {count: 2, force: true, " + quick + "}"),
                                hook(
                                        "patient-.+",
                                        url + "/patient",
                                        "retry: {count: 100000, " + quick + "}"),
                                hook(
                                        "growing-.+",
                                        url + "/growing",
                                        "retry: {count: 3, interval: 100ms, intervalMultiplier: 2,"
                                                + " intervalJitter: 0s}"),
                                hook("slow-.+", url + "/slow", "timeout: 200ms, retry: {count: 0}"),
                                hook(
                                        "moved-.+",
                                        url + "/moved",
                                        "maxRedirects: 2, headers: {Authorization: Bearer x},"
                                                + " retry: {count: 0}"),
                                hook(
                                        "one-.+",
                                        url + "/narrow",
                                        "connection: {max: 1}, retry: {count: 0}"),
                                hook(
                                        "room-(?P<name>.+)",
                                        url + "/rooms/{{.channel.name}}",
                                        "method: post, headers: {X-Room: '{{.channel.name}}',"
                                                + " content-type: application/vnd.room+json}"))
                        + "]",
                "pubsub.admin={auth: {bearer: [" + TOKEN + "]}}");
    }

    private static String hook(String regex, String url, String more) {
        return "{regex: '%s', webhooks: [{url: '%s'%s}]}"
                .formatted(regex, url, more.isEmpty() ? "" : ", " + more);
    }

    @AfterEach
    void closeReceiver() {
        receiver.close();
    }

    void publishAll(String channel, int from, int to) {
        for (int i = from; i < to; i++) {
            publish(channel, "m" + i, Integer.toString(i));
        }
    }

    static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    void awaitIds(List<String> ids) {
        await().atMost(PATIENCE).until(() -> receiver.ids().size() >= ids.size());
    }

    /** Until nothing is left to do: whatever may still be sent has been sent then. */
    void awaitIdle() {
        await().atMost(PATIENCE).until(() -> work().isEmpty());
    }

    Set<String> work() {
        return IntStream.range(0, WebhookWork.PARTS)
                .boxed()
                .flatMap(
                        part ->
                                ((List<?>)
                                                redis(
                                                        "ZRANGE",
                                                        "millrace:webhook-work:{%d}"
                                                                .formatted(part),
                                                        "0",
                                                        "-1"))
                                        .stream())
                .map(String::valueOf)
                .collect(Collectors.toSet());
    }
}
