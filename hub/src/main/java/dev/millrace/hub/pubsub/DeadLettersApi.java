package dev.millrace.hub.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.MessageNames;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.config.ChannelBook;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.pubsub.webhooks.DeadLetter;
import dev.millrace.hub.pubsub.webhooks.DeadLetters;
import dev.millrace.hub.pubsub.webhooks.Webhooks;

import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** For admins: what webhooks did not take, to be looked at, sent once more, or removed. */
final class DeadLettersApi {
    private static final int USUAL_LIMIT = 100;

    private final PubsubSettings settings;
    private final ChannelBook book;
    private final Webhooks webhooks;
    private final AdminApi admin;

    DeadLettersApi(PubsubSettings settings, ChannelBook book, Webhooks webhooks, AdminApi admin) {
        this.settings = settings;
        this.book = book;
        this.webhooks = webhooks;
        this.admin = admin;
    }

    List<Route> routes() {
        String dead = settings.pathPrefix() + "/admin/channel/{channel:any}/dead";
        return List.of(
                Route.get(dead)
                        .withOwnCheck(AdminApi.HOW)
                        .about("The messages that webhooks of this channel did not take.")
                        .parameter("limit", "how many at most, the oldest first; 100")
                        .by(admin.checked(this::list)),
                Route.post(dead + "/replay")
                        .withOwnCheck(AdminApi.HOW)
                        .about("Sends them once more, each once; what is not taken stays.")
                        .by(admin.checked(this::replay)),
                Route.delete(dead)
                        .withOwnCheck(AdminApi.HOW)
                        .about("Removes them.")
                        .by(admin.checked(this::clear)));
    }

    private static String channel(Request request) {
        return MessageNames.of(request.variable(ChannelGate.CHANNEL), "channelID");
    }

    private Answer list(Request request) {
        String channel = channel(request);
        int limit = request.query("limit").map(DeadLettersApi::limit).orElse(USUAL_LIMIT);
        DeadLetters.Listing listing = webhooks.dead().list(channel, limit);
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        out.writeBytes(
                "{\"channelID\":\"%s\",\"count\":%d,\"bytes\":%d,\"letters\":["
                        .formatted(channel, listing.count(), listing.bytes())
                        .getBytes(UTF_8));
        boolean first = true;
        for (byte[] stored : listing.letters()) {
            Optional<DeadLetter> letter = DeadLetter.read(stored);
            if (letter.isPresent()) {
                if (!first) {
                    out.write(',');
                }
                first = false;
                letter.get().write(out);
            }
        }
        out.writeBytes("]}\n".getBytes(UTF_8));
        return Answer.bytes(200, "application/json", out.toByteArray());
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= DeadLetters.MOST) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new Refused.Invalid("limit").exception();
    }

    private Answer replay(Request request) {
        String channel = channel(request);
        if (book.rules(channel).isEmpty()) {
            throw new Refused.NotPermitted(channel).exception();
        }
        long count = webhooks.dead().list(channel, 0).count();
        if (count > 0) {
            webhooks.replay(channel);
        }
        return done(202, channel, "replaying", count);
    }

    private Answer clear(Request request) {
        String channel = channel(request);
        return done(200, channel, "removed", webhooks.dead().clear(channel));
    }

    private static Answer done(int status, String channel, String what, long count) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("channelID", channel);
        answer.put(what, count);
        return PubsubErrors.json(status, answer);
    }
}
