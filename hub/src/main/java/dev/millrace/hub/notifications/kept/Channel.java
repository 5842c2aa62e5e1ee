package dev.millrace.hub.notifications.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One address of a subscriber.
 *
 * @param type how to get there; absent only in data of others
 * @param mailAddresses for e-mail
 * @param url for REST
 * @param secret for REST, ours and not of the first key description: signs what is sent. It is kept
 *     with the subscription only, and whoever reads one sees {@link #HIDDEN}
 * @param topic for MQTT, ours and not of the first key description
 * @param messageChannel the name of a message channel, ours and not of the first key description
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Channel(
        @Nullable ChannelType type,
        List<String> mailAddresses,
        String url,
        String secret,
        String topic,
        String messageChannel) {

    /** Shown instead of a secret; sent back, it means the one that is there. */
    static final String HIDDEN = "***";

    /** What JSON left away is empty. */
    public Channel {
        mailAddresses = Texts.texts(mailAddresses);
        url = Texts.text(url);
        secret = Texts.text(secret);
        topic = Texts.text(topic);
        messageChannel = Texts.text(messageChannel);
    }

    public static Channel rest(String url) {
        return new Channel(ChannelType.REST, List.of(), url, "", "", "");
    }

    public static Channel email(String... addresses) {
        return new Channel(ChannelType.EMAIL, List.of(addresses), "", "", "", "");
    }

    public static Channel mqtt(String topic) {
        return new Channel(ChannelType.MQTT, List.of(), "", "", topic, "");
    }

    static Channel ofMessages(String name) {
        return new Channel(ChannelType.MESSAGE_CHANNEL, List.of(), "", "", "", name);
    }

    public Channel withSecret(String newSecret) {
        return new Channel(type, mailAddresses, url, newSecret, topic, messageChannel);
    }

    /** For whoever asks. */
    Channel shown() {
        return secret.isEmpty() ? this : withSecret(HIDDEN);
    }

    /** For a transmission, which says where something was sent, and not how it was signed. */
    Channel bare() {
        return withSecret("");
    }

    boolean leadsWhere(Channel other) {
        return bare().equals(other.bare());
    }

    /** Secrets do not belong in a log. */
    @Override
    public String toString() {
        return "%s %s%s%s%s".formatted(type, url, mailAddresses, topic, messageChannel);
    }
}
