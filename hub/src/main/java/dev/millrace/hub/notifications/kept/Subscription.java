package dev.millrace.hub.notifications.kept;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;

import java.util.List;
import java.util.Optional;

/**
 * Who receives which categories and labels, over which addresses.
 *
 * @param slug the name its client gave it; unique
 */
@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Subscription(
        long created,
        long modified,
        long origin,
        String id,
        String slug,
        String receiver,
        String description,
        List<Category> subscribedCategories,
        List<String> subscribedLabels,
        List<Channel> channels) {

    /** What JSON left away is empty. */
    public Subscription {
        id = Texts.text(id);
        slug = Texts.text(slug);
        receiver = Texts.text(receiver);
        description = Texts.text(description);
        subscribedCategories = Texts.list(subscribedCategories);
        subscribedLabels = Texts.texts(subscribedLabels);
        channels = Texts.list(channels);
    }

    private Subscription with(long newCreated, long now, String newId, List<Channel> newChannels) {
        return new Subscription(
                newCreated,
                now,
                origin,
                newId,
                slug,
                receiver,
                description,
                subscribedCategories,
                subscribedLabels,
                newChannels);
    }

    /** As it is stored when it comes in. */
    public Subscription arrived(String newId, long now) {
        return with(created == 0 ? now : created, now, newId, channels);
    }

    /** As it is stored in the place of another one: id, time of creation and secrets stay. */
    public Subscription inPlaceOf(Subscription old, long now) {
        return with(
                old.created,
                now,
                old.id,
                channels.stream().map(each -> each.withSecret(old.secret(each))).toList());
    }

    private String secret(Channel wanted) {
        return wanted.secret().equals(Channel.HIDDEN)
                ? secretOf(wanted).orElse("")
                : wanted.secret();
    }

    /** The secret of the channel that leads to the same place. */
    public Optional<String> secretOf(Channel channel) {
        return channels.stream()
                .filter(channel::leadsWhere)
                .map(Channel::secret)
                .filter(each -> !each.isEmpty())
                .findFirst();
    }

    /** For whoever asks. */
    public Subscription shown() {
        return with(created, modified, id, channels.stream().map(Channel::shown).toList());
    }
}
