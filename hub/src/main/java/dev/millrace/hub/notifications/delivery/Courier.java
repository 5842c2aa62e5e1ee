package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.ChannelType;
import dev.millrace.hub.notifications.kept.Notification;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends something over a channel, within a time that holds for the whole attempt: a receiver that
 * answers one byte a minute must not keep us. Thread-safe.
 */
public final class Courier implements AutoCloseable {
    private final RestSender rest;
    private final MailSender mail;
    private final MqttSender mqtt;
    private final MessageSender messages;
    private final Duration timeOut;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    public Courier(
            RestSender rest,
            MailSender mail,
            MqttSender mqtt,
            MessageSender messages,
            Duration timeOut) {
        this.rest = rest;
        this.mail = mail;
        this.mqtt = mqtt;
        this.messages = messages;
        this.timeOut = timeOut;
    }

    /** An attempt that has begun. */
    final class Errand {
        private final Future<Attempt> going;
        private final long until = System.nanoTime() + timeOut.toNanos();

        private Errand(Future<Attempt> going) {
            this.going = going;
        }

        /** How it ended, if it does within this time. */
        Optional<Attempt> within(Duration time) throws InterruptedException {
            long left = Math.min(time.toNanos(), until - System.nanoTime());
            try {
                return Optional.of(going.get(Math.max(0, left), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                return Optional.empty();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof InterruptedException) {
                    // The hub stops: how it would have ended is not known.
                    throw new InterruptedException();
                }
                return Optional.of(Attempt.failed("It could not be sent: " + e.getCause()));
            }
        }

        /** How it ended; it is given up when its time is over. */
        Attempt end() throws InterruptedException {
            Optional<Attempt> ended = within(timeOut);
            if (ended.isEmpty()) {
                going.cancel(true);
            }
            return ended.orElseGet(
                    () ->
                            Attempt.failed(
                                    "There was no answer within %d ms."
                                            .formatted(timeOut.toMillis())));
        }
    }

    /**
     * Begins to send.
     *
     * @param transmission by which a receiver can tell that it gets something again
     * @param secret to sign with, if the channel has one of its own
     */
    Errand begin(
            Notification notification,
            String transmission,
            Channel channel,
            Optional<String> secret) {
        return new Errand(threads.submit(() -> send(notification, transmission, channel, secret)));
    }

    private Attempt send(
            Notification notification,
            String transmission,
            Channel channel,
            Optional<String> secret)
            throws InterruptedException {
        ChannelType type = channel.type();
        if (type == null) {
            return Attempt.failed(
                    "The channel has no type; use REST, EMAIL, MQTT or MESSAGE_CHANNEL.");
        }
        Attempt attempt =
                switch (type) {
                    case REST -> rest.send(notification, transmission, channel.url(), secret);
                    case EMAIL -> mail.send(notification, transmission, channel.mailAddresses());
                    case MQTT -> mqtt.send(notification, transmission, channel.topic());
                    case MESSAGE_CHANNEL ->
                            messages.send(notification, transmission, channel.messageChannel());
                };
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return attempt;
    }

    /** Stops what is still being sent. */
    @Override
    public void close() {
        threads.shutdownNow();
        mqtt.close();
    }
}
