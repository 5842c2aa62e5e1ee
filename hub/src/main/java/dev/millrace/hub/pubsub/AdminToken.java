package dev.millrace.hub.pubsub;

import dev.millrace.hub.http.Json;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The token of admins that is made at start-up where none is configured. It is shown to whoever
 * started the hub, and never goes to the log, which others read.
 */
public record AdminToken(String secret) {
    private static final int BYTES = 16;
    private static final String SETTING = "pubsub.admin.auth.bearer";

    static AdminToken make() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return new AdminToken(HexFormat.of().formatHex(random));
    }

    /** A line for people. */
    public String line() {
        return "No %s is set; until the next start this token will do for /admin: %s"
                .formatted(SETTING, secret);
    }

    /** The same for machines, which know it from a line of the log by its first member. */
    public String json() {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("notice", "admin-token");
        members.put(
                "message",
                "No %s is set; until the next start this token will do for /admin. Set it, and none is made."
                        .formatted(SETTING));
        members.put("setting", SETTING);
        members.put("token", secret);
        return Json.MAPPER.writeValueAsString(members);
    }

    /** Without the secret: whoever wants to show it says so. */
    @Override
    public String toString() {
        return "AdminToken[***]";
    }
}
