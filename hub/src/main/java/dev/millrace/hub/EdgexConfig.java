package dev.millrace.hub;

import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.options.RedisOptions;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What concerns the whole hub of the configuration that clients of EdgeX ask for, under the names
 * they know. It says how the hub runs; nothing is read from it.
 */
final class EdgexConfig {
    private static final String HIDDEN = "***";

    private EdgexConfig() {}

    static Map<String, Map<String, Object>> of(Settings settings, SiteRedis site, int port) {
        RedisOptions options = site.redis().options();
        List<Endpoint> primaries = site.redis().primaries();
        Endpoint first = primaries.isEmpty() ? new Endpoint("", 0, null) : primaries.getFirst();
        return Map.of(
                "Writable",
                Map.of("LogLevel", settings.log().level().name()),
                "Service",
                Map.of(
                        "Protocol",
                        settings.http().certificate().isPresent() ? "https" : "http",
                        "Host",
                        settings.http().host(),
                        "Port",
                        port,
                        "Timeout",
                        settings.http().requestTimeOut().toMillis()),
                "Databases",
                Map.of(
                        "Primary",
                        Map.of(
                                "Type",
                                "redisdb",
                                "Host",
                                first.host(),
                                "Port",
                                first.port(),
                                "Name",
                                Integer.toString(options.database()),
                                "Username",
                                options.user() == null ? "" : options.user(),
                                "Password",
                                options.password() == null ? "" : HIDDEN,
                                "Timeout",
                                options.answerTime().toMillis())),
                "Logging",
                Map.of(
                        "EnableRemote",
                        false,
                        "File",
                        "",
                        "Format",
                        settings.log().format().name().toLowerCase(Locale.ROOT)),
                "Registry",
                Map.of("Type", "", "Host", "", "Port", 0),
                "SecretStore",
                Map.of("Type", "", "Host", "", "Port", 0),
                "Startup",
                Map.of("Duration", 0, "Interval", 0));
    }
}
