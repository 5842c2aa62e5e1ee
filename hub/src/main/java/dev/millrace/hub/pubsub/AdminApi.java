package dev.millrace.hub.pubsub;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Handler;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.pubsub.channels.ChannelGate;
import dev.millrace.hub.pubsub.channels.Refused;
import dev.millrace.hub.pubsub.channels.RefusedException;
import dev.millrace.hub.pubsub.channels.Revocations;
import dev.millrace.hub.pubsub.config.PubsubSettings;
import dev.millrace.hub.pubsub.config.RealIp;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What admins of channels may do. They come from an address in {@code admin.auth.networks} with one
 * of the tokens in {@code admin.auth.bearer}; where none is configured and the hub is open, the
 * address will do. An API token of this hub with the role admin does as well.
 */
final class AdminApi {
    private static final Door DOOR = Door.of(Role.ADMIN, ChannelGate.ROOM);
    static final String HOW =
            "An address in pubsub.admin.auth.networks and a token of pubsub.admin.auth.bearer, or"
                    + " an API token with the role admin. In mode open the address will do, unless"
                    + " tokens are configured.";
    private static final Logger log = LoggerFactory.getLogger(AdminApi.class);

    private final PubsubSettings settings;
    private final RealIp realIp;
    private final List<byte[]> bearer;
    private final Revocations revocations;
    private final Gate gate;
    private final LogCategory categories;

    AdminApi(PubsubSettings settings, Revocations revocations, Gate gate, LogCategory categories) {
        this.settings = settings;
        this.realIp = RealIp.of(settings);
        this.revocations = revocations;
        this.gate = gate;
        this.categories = categories;
        this.bearer = settings.adminBearer().stream().map(AdminApi::bytes).toList();
    }

    List<Route> routes() {
        String admin = settings.pathPrefix() + "/admin";
        return List.of(
                Route.put(admin + "/jwt/revoke")
                        .withOwnCheck(HOW)
                        .about("Refuses tokens with this id from now on.")
                        .parameter("jti", "The id of the tokens.")
                        .parameter("exp", "Until when they are valid, in seconds since 1970.")
                        .by(checked(this::revoke)),
                Route.put(admin + "/log/level")
                        .withOwnCheck(HOW)
                        .about("Changes from which level on the log of this hub shows lines.")
                        .parameter("category", "server, auth, http, storage, webhook-out or *.")
                        .parameter("level", "DEBUG, INFO, WARN, ERROR or FATAL.")
                        .by(checked(this::level)));
    }

    /** Work for admins only. */
    Handler.Work checked(Handler.Work work) {
        return request -> {
            try {
                mustBeAdmin(request);
                return work.answer(request);
            } catch (RefusedException e) {
                return PubsubErrors.answer(e.why());
            }
        };
    }

    private void mustBeAdmin(Request request) {
        String client = realIp.of(request);
        boolean near =
                RealIp.address(client)
                        .map(address -> RealIp.contains(settings.adminNetworks(), address))
                        .orElse(false);
        Optional<String> token = ChannelGate.token(request);
        if (!(near && isAdminOfChannels(token)) && !isAdminOfHub(request, token)) {
            // By name: both may hold what ends a line.
            log.atInfo()
                    .addKeyValue("path", request.path())
                    .addKeyValue("client", client)
                    .log("An admin call was refused.");
            throw new Refused.NotAdmin().exception();
        }
    }

    /** In mode open everybody is one, unless somebody has configured tokens, to keep others out. */
    private boolean isAdminOfChannels(Optional<String> token) {
        return bearer.isEmpty() ? !gate.looksAtTokens() : token.map(this::known).orElse(false);
    }

    private boolean isAdminOfHub(Request request, Optional<String> token) {
        return gate.looksAtTokens()
                && token.isPresent()
                && gate.admit(DOOR, token, request.peer()) instanceof Decision.Admitted;
    }

    /** Looks at all of them, whichever it is, and at every byte: the time tells nothing. */
    private boolean known(String token) {
        byte[] given = bytes(token);
        boolean known = false;
        for (byte[] each : bearer) {
            known |= MessageDigest.isEqual(each, given);
        }
        return known;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Answer revoke(Request request) {
        String jti = request.query("jti").orElse("");
        if (jti.isEmpty()) {
            throw new Refused.Missing("jti").exception();
        }
        long until;
        try {
            long exp = Long.parseLong(request.query("exp").orElse(""));
            until = Math.addExact(exp, settings.longestLeewaySeconds());
        } catch (NumberFormatException | ArithmeticException e) {
            throw new Refused.Invalid("exp").exception();
        }
        revocations.revoke(jti, until);
        log.info("A token was revoked. client={}", realIp.of(request));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("exp", until);
        answer.put("jti", jti);
        return PubsubErrors.json(200, answer);
    }

    private Answer level(Request request) {
        String category = request.query("category").orElse("");
        if (category.isEmpty()) {
            throw new Refused.Missing("category").exception();
        }
        String level;
        try {
            level = PubsubSettings.level(request.query("level").orElse(""));
        } catch (IllegalArgumentException e) {
            throw new Refused.Invalid("level").exception();
        }
        categories.show(category, level);
        return Answer.empty(204);
    }
}
