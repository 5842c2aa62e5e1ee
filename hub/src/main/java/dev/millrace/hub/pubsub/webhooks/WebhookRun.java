package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;
import dev.millrace.hub.pubsub.channels.PubsubStore;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.Webhook;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The work of one webhook of one channel, once it is claimed: sends what is unread, one message
 * after another, and moves the cursor behind each. A message that must be sent again waits in the
 * list of work, with the number of tries in its note, and the ones behind it wait for it. What is
 * not confirmed when the hub dies is sent again by whoever claims the work next.
 */
final class WebhookRun {
    private static final int PAGE = 16;

    /** Then it is the turn of others, if any wait. */
    private static final int TURN = 64;

    private static final Logger log = LoggerFactory.getLogger(Webhooks.LOGGER);

    private final WebhookTools tools;
    private final Webhook webhook;
    private final ChannelRules rules;
    private final String channel;
    private WebhookWork.Claim claim;

    private WebhookRun(
            WebhookTools tools, WebhookWork.Claim claim, Webhook webhook, ChannelRules rules) {
        this.tools = tools;
        this.claim = claim;
        this.webhook = webhook;
        this.rules = rules;
        this.channel = claim.item().channel();
    }

    /** Does it; gives in which time it is due again, if it is. */
    static Optional<Duration> of(WebhookTools tools, WebhookWork.Claim claim)
            throws InterruptedException {
        String channel = claim.item().channel();
        Optional<ChannelRules> rules = tools.book().rules(channel);
        Optional<Webhook> webhook = tools.webhook(channel, claim.item().webhook());
        if (rules.isEmpty() || webhook.isEmpty()) {
            return unknown(tools, claim);
        }
        WebhookRun run = new WebhookRun(tools, claim, webhook.get(), rules.get());
        try {
            return run.send();
        } catch (InterruptedException e) {
            // The hub stops: somebody else need not wait for the end of our claim.
            tools.work().again(run.claim, Duration.ZERO);
            throw e;
        }
    }

    /** Another hub, with other settings, may know it; nobody does once its cursor has expired. */
    private static Optional<Duration> unknown(WebhookTools tools, WebhookWork.Claim claim) {
        if (tools.work().hasCursor(claim.item())) {
            tools.work()
                    .again(claim, Duration.ofSeconds(ThreadLocalRandom.current().nextInt(5, 15)));
        } else {
            tools.work().done(claim);
        }
        return Optional.empty();
    }

    private Optional<Duration> send() throws InterruptedException {
        int sent = 0;
        while (sent < TURN) {
            Optional<PubsubStore.Page> page =
                    tools.patiently(
                            claim,
                            () ->
                                    tools.store()
                                            .fetch(
                                                    channel,
                                                    webhook.subscriber(),
                                                    new Admitted(rules, true),
                                                    PAGE,
                                                    OptionalLong.empty())
                                            .join());
            if (page.isEmpty() || page.get().messages().isEmpty()) {
                Optional<WebhookWork.Claim> armed = tools.work().done(claim);
                if (armed.isEmpty()) {
                    return Optional.empty();
                }
                claim = armed.get();
                continue;
            }
            for (PubsubStore.Message message : page.get().messages()) {
                Optional<WebhookWork.Claim> ours = tools.forTry(claim);
                if (ours.isEmpty()) {
                    return Optional.empty();
                }
                claim = ours.get();
                if (tools.stopping()) {
                    return later(Duration.ZERO);
                }
                Optional<Duration> wait = send(message);
                if (wait.isPresent()) {
                    return later(wait.get());
                }
                sent++;
            }
        }
        return later(Duration.ZERO);
    }

    private Optional<Duration> later(Duration wait) {
        tools.work().again(claim, wait);
        return Optional.of(wait);
    }

    /** Empty if the message is dealt with, else how long to wait before the next try. */
    private Optional<Duration> send(PubsubStore.Message message) throws InterruptedException {
        return switch (tools.client()
                .send(webhook, channel, message.envelope(), () -> claim = tools.kept(claim))) {
            case Try.Taken taken -> {
                tools.figures().sent();
                tools.patiently(
                        claim,
                        () ->
                                tools.store()
                                        .acknowledge(
                                                channel,
                                                webhook.subscriber(),
                                                rules,
                                                message.clock())
                                        .join());
                claim = claim.noting("");
                yield Optional.empty();
            }
            case Try.Busy busy ->
                    Optional.of(Duration.ofMillis(ThreadLocalRandom.current().nextInt(50, 200)));
            case Try.Failed failed -> failed(message, failed);
        };
    }

    private Optional<Duration> failed(PubsubStore.Message message, Try.Failed failed)
            throws InterruptedException {
        tools.figures().failed();
        int tries = Tries.of(claim.note(), message.clock()) + 1;
        Webhook.Retry retry = webhook.retry();
        if (tries <= retry.count() && (retry.force() || !failed.hopeless())) {
            claim = claim.noting(new Tries(message.clock(), tries).text());
            return Optional.of(retry.backOff().after(tries - 1));
        }
        DeadLetter letter =
                new DeadLetter(
                        new DeadLetter.Fate(
                                webhook.id(),
                                failed.status(),
                                failed.reason(),
                                tries,
                                tools.clock().millis()),
                        message.envelope());
        Optional<Long> gone =
                tools.patiently(
                        claim,
                        () -> tools.dead().bury(channel, webhook, rules, message.clock(), letter));
        gone.ifPresent(
                dropped -> {
                    tools.figures().dead();
                    log.warn(
                            "A webhook did not take a message, which is a dead letter now."
                                    + " channel={} webhook={} message={} tries={} status={}"
                                    + " reason=\"{}\" older-letters-dropped={}",
                            channel,
                            webhook.id(),
                            message.envelope().id(),
                            tries,
                            failed.status(),
                            failed.reason(),
                            dropped);
                });
        claim = claim.noting("");
        return Optional.empty();
    }

    /** How often a message was sent, as it stands in a note. */
    private record Tries(long clock, int count) {
        String text() {
            return clock + " " + count;
        }

        /** Of this message; a note about another one does not count. */
        static int of(String note, long clock) {
            String begin = clock + " ";
            return note.startsWith(begin) ? Integer.parseInt(note.substring(begin.length())) : 0;
        }
    }
}
