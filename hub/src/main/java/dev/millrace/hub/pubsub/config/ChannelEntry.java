package dev.millrace.hub.pubsub.config;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import dev.millrace.hub.settings.Bytes;
import dev.millrace.hub.settings.Section;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One entry of the configuration of channels.
 *
 * @param regex of the whole name; a library that never takes longer than the name is long
 * @param maxMessageBytes 0 for what holds for all channels
 * @param maxPerSecond 0 for any number
 */
public record ChannelEntry(
        Pattern regex,
        Duration expire,
        List<WebhookEntry> webhooks,
        Optional<JwtEntry> jwt,
        int maxMessageBytes,
        int maxPerSecond) {

    private static final Duration EXPIRE = Duration.ofMinutes(30);

    /** A key cannot live longer than some hundred years; nor is there a reason. */
    private static final Duration LONGEST = Duration.ofDays(36500);

    /** What applies where nothing is configured: every name is a channel. */
    static final ChannelEntry ANY =
            new ChannelEntry(Pattern.compile(".+"), EXPIRE, List.of(), Optional.empty(), 0, 0);

    public ChannelEntry {
        webhooks = List.copyOf(webhooks);
    }

    static ChannelEntry read(Section section, int maxMessageBytes) {
        Pattern regex = section.get("regex", ANY.regex, plain -> regex(plain.text()));
        if (!section.has("regex")) {
            section.problem("regex", "An entry needs the names it is for, such as 'chat-.+'.");
        }
        Set<String> groups = regex.namedGroups().keySet();
        AllowedValues rules = new AllowedValues(section);
        Duration expire = rules.positive("expire", EXPIRE);
        if (expire.compareTo(LONGEST) > 0) {
            section.problem("expire", "No message lives longer than 36500 days.");
        }
        Map<String, Integer> alike = new HashMap<>();
        List<WebhookEntry> webhooks = new ArrayList<>();
        for (Section webhook : section.sections("webhooks")) {
            String what = webhook.text("method") + " " + webhook.text("url");
            int number = alike.merge(what, 1, Integer::sum) - 1;
            webhooks.add(WebhookEntry.read(webhook, regex.pattern(), groups, number));
        }
        Optional<JwtEntry> jwt =
                section.has("jwt")
                        ? Optional.of(JwtEntry.read(section.section("jwt"), groups))
                        : Optional.empty();
        int bytes = rules.size("maxMessageBytes", 0, new Bytes(maxMessageBytes));
        int perSecond = rules.number("maxPerSecond", 0, 0);
        section.end();
        return new ChannelEntry(regex, expire, webhooks, jwt, bytes, perSecond);
    }

    private static Pattern regex(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a valid regular expression: %s."
                            .formatted(text, e.getDescription()),
                    e);
        }
    }

    /** The match of a name; empty if it is not for this entry. */
    Optional<Matcher> match(String channel) {
        Matcher matcher = regex.matcher(channel);
        return matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }
}
