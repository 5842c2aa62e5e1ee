package dev.millrace.hub.pubsub.webhooks;

import dev.millrace.hub.pubsub.config.Webhook;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sends the dead letters of a channel once more, each once, the oldest first. What is taken goes;
 * what is not stays, with the new reason. A webhook that fails in a way that may pass is left alone
 * for the rest of the run, so that one that is still away does not cost a time-out per letter.
 */
final class DeadLetterRun {
    private final WebhookTools tools;
    private final String channel;
    private final Set<String> away = new HashSet<>();
    private WebhookWork.Claim claim;

    private DeadLetterRun(WebhookTools tools, WebhookWork.Claim claim) {
        this.tools = tools;
        this.claim = claim;
        this.channel = claim.item().channel();
    }

    /** Does it; gives in which time it is due again, if it is. */
    static Optional<Duration> of(WebhookTools tools, WebhookWork.Claim claim)
            throws InterruptedException {
        DeadLetterRun run = new DeadLetterRun(tools, claim);
        try {
            return run.all();
        } catch (InterruptedException e) {
            tools.work().again(run.claim, Duration.ZERO);
            throw e;
        }
    }

    private Optional<Duration> all() throws InterruptedException {
        while (true) {
            long left =
                    claim.note().isEmpty()
                            ? tools.dead().list(channel, 0).count()
                            : Long.parseLong(claim.note());
            for (; left > 0; left--) {
                claim = claim.noting(Long.toString(left));
                List<byte[]> oldest = tools.dead().list(channel, 1).letters();
                if (oldest.isEmpty()) {
                    break;
                }
                Optional<Duration> wait = once(oldest.getFirst());
                if (wait.isPresent()) {
                    tools.work().again(claim, wait.get());
                    return wait;
                }
            }
            Optional<WebhookWork.Claim> armed = tools.work().done(claim);
            if (armed.isEmpty()) {
                return Optional.empty();
            }
            claim = armed.get();
            away.clear();
        }
    }

    /** Empty if this letter is dealt with, else how long to wait before it is looked at again. */
    private Optional<Duration> once(byte[] stored) throws InterruptedException {
        Optional<DeadLetter> letter = DeadLetter.read(stored);
        Optional<Webhook> webhook =
                letter.flatMap(known -> tools.webhook(channel, known.fate().webhook()));
        if (letter.isEmpty() || webhook.isEmpty() || away.contains(webhook.get().id())) {
            tools.dead().move(channel, stored, stored);
            return Optional.empty();
        }
        Optional<WebhookWork.Claim> ours = tools.forTry(claim);
        if (ours.isEmpty() || tools.stopping()) {
            return Optional.of(Duration.ZERO);
        }
        claim = ours.get();
        return switch (tools.client()
                .send(
                        webhook.get(),
                        channel,
                        letter.get().message(),
                        () -> claim = tools.kept(claim))) {
            case Try.Taken taken -> {
                tools.figures().sent();
                tools.patiently(claim, () -> tools.dead().move(channel, stored, null));
                yield Optional.empty();
            }
            case Try.Busy busy -> Optional.of(Duration.ofMillis(200));
            case Try.Failed failed -> {
                tools.figures().failed();
                if (!failed.hopeless()) {
                    away.add(webhook.get().id());
                }
                DeadLetter.Fate before = letter.get().fate();
                DeadLetter.Fate after =
                        new DeadLetter.Fate(
                                before.webhook(),
                                failed.status(),
                                failed.reason(),
                                before.tries() + 1,
                                tools.clock().millis());
                byte[] back = new DeadLetter(after, letter.get().message()).bytes();
                tools.patiently(claim, () -> tools.dead().move(channel, stored, back));
                yield Optional.empty();
            }
        };
    }
}
