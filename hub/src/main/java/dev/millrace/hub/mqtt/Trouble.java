package dev.millrace.hub.mqtt;

import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.ConnectionFailedException;
import com.hivemq.client.mqtt.exceptions.MqttDecodeException;
import com.hivemq.client.mqtt.exceptions.MqttEncodeException;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAckReasonCode;

import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** What the client library says, in sentences. */
final class Trouble {
    private Trouble() {}

    static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        while ((root instanceof CompletionException || root instanceof ExecutionException)
                && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Whether a broker that was reached may only have disliked the version of the protocol. */
    static boolean ofVersion(Throwable thrown) {
        Throwable root = root(thrown);
        if (root instanceof Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode()
                    == Mqtt5ConnAckReasonCode.UNSUPPORTED_PROTOCOL_VERSION;
        }
        // An older one answers in its own version, which is not an answer in ours, or hangs up.
        return root instanceof MqttDecodeException
                || root instanceof ConnectionClosedException
                || (root instanceof Mqtt5DisconnectException
                        && root.getCause() instanceof MqttDecodeException);
    }

    /** Whether a connection was given up because of what the broker had sent on it. */
    static boolean unreadable(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof MqttDecodeException) {
                return true;
            }
        }
        return false;
    }

    /** Whether the broker will never take this message. */
    static boolean forGood(Throwable thrown) {
        Throwable root = root(thrown);
        if (root instanceof Mqtt5PubAckException refused) {
            Mqtt5PubAckReasonCode code = refused.getMqttMessage().getReasonCode();
            return code == Mqtt5PubAckReasonCode.TOPIC_NAME_INVALID
                    || code == Mqtt5PubAckReasonCode.PAYLOAD_FORMAT_INVALID;
        }
        return root instanceof MqttEncodeException;
    }

    static String sentence(Target target, Throwable thrown) {
        Throwable root = root(thrown);
        return switch (root) {
            case Mqtt5ConnAckException e ->
                    "The broker %s does not let us in: %s."
                            .formatted(target, words(e.getMqttMessage().getReasonCode()));
            case Mqtt3ConnAckException e ->
                    "The broker %s does not let us in: %s."
                            .formatted(target, words(e.getMqttMessage().getReturnCode()));
            case Mqtt5PubAckException e ->
                    "The broker %s did not take a message: %s."
                            .formatted(target, words(e.getMqttMessage().getReasonCode()));
            case Mqtt5DisconnectException e ->
                    "The broker %s ended the connection: %s."
                            .formatted(target, words(e.getMqttMessage().getReasonCode()));
            case ConnectionFailedException e ->
                    "The broker %s cannot be reached: %s.".formatted(target, reason(e));
            case TimeoutException e -> "The broker %s gave no answer in time.".formatted(target);
            default -> "The broker %s was lost: %s.".formatted(target, reason(root));
        };
    }

    private static String words(Enum<?> code) {
        return code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String reason(Throwable thrown) {
        Throwable deepest = thrown;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        String said = message == null ? "it does not say why" : message;
        return said.endsWith(".") ? said.substring(0, said.length() - 1) : said;
    }
}
