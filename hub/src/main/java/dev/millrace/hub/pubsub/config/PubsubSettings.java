package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.house.RedisSettings;
import dev.millrace.hub.http.CorsRule;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Origin;
import dev.millrace.hub.settings.Section;
import dev.millrace.hub.settings.Tree;
import dev.millrace.hub.settings.Values;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of message channels. They have the names and the shape of the reference, so that a
 * file written for it can be taken as it is ({@code pubsub.config}); the same names may stand in
 * {@code millrace.yaml} below {@code pubsub}, and there and with {@code --set} they count more than
 * that file. What of such a file means nothing here is told in {@link #warnings}.
 *
 * @param storageId the name that ack handles carry
 * @param pathPrefix before every path of this room: empty, or with a slash before it and none
 *     behind
 * @param realIpHeader in which proxies say for whom they speak
 * @param trustedProxies who may say so
 * @param discloseAuthRejectionDetail whether a caller is told why a token was refused
 * @param defaultHeaders of every answer of a route of this room
 * @param cors what pages of other sites may do here; empty for what holds for the whole hub
 * @param adminBearer tokens of admins; none means that one is made at start-up
 * @param logLevels by the reference's categories
 */
public record PubsubSettings(
        String storageId,
        String pathPrefix,
        Optional<String> realIpHeader,
        List<Network> trustedProxies,
        boolean discloseAuthRejectionDetail,
        List<Header> defaultHeaders,
        Optional<CorsRule> cors,
        Duration longPollingMaxTimeout,
        int pollingMaxMessages,
        int maxMessageBytes,
        List<ChannelEntry> channels,
        List<Network> adminNetworks,
        List<String> adminBearer,
        Map<String, String> logLevels,
        List<String> warnings) {

    private static final String STANDARD_ID = "redis1";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Set<String> LEVELS = Set.of("debug", "info", "warn", "error", "fatal");

    private static final Key<Optional<Path>> CONFIG =
            Key.optional(
                    "pubsub.config",
                    Kind.PATH,
                    "none",
                    "a configuration file of the pub/sub server whose clients are served; what"
                            + " stands below counts more than that file");

    private static final Key<Optional<String>> STORAGE_ID =
            Key.optional(
                    "pubsub.storage-id",
                    Kind.one(PubsubSettings::id),
                    "the storage that pub/sub settings name, or redis1",
                    "the name that ack handles carry; all servers on one Redis need the same");

    private static final Key<String> HTTP =
            Key.of(
                    "pubsub.http",
                    Kind.tree(),
                    "{}",
                    "pathPrefix, realIpHeader, trustedProxyRanges (private addresses),"
                            + " discloseAuthRejectionDetail (false), defaultHeaders,"
                            + " longPollingMaxTimeout (30s), and ours: maxMessageBytes (1MiB),"
                            + " pollingMaxMessages (1000), cors (origins, headers, maxAge,"
                            + " credentials)");

    private static final Key<String> CHANNELS =
            Key.of(
                            "pubsub.channels",
                            Kind.tree("headers"),
                            "[]",
                            "which names are channels, and their rules: regex, expire (30m),"
                                + " webhooks, jwt, and ours: maxMessageBytes, maxPerSecond (0: any"
                                + " number). All entries that match a name apply together; none at"
                                + " all means [{regex: .+}]")
                    .address();

    private static final Key<String> ADMIN =
            Key.of(
                    "pubsub.admin",
                    Kind.tree("bearer"),
                    "{}",
                    "auth.networks (private addresses) and auth.bearer: from where, and with which"
                            + " tokens, /admin may be called; without bearer, where access.mode is"
                            + " open, the address will do");

    private static final Key<String> LOGGING =
            Key.of(
                    "pubsub.logging",
                    Kind.tree(),
                    "{}",
                    "category: levels by the categories server, auth, http, storage, webhook-out,"
                            + " and * for all. From INFO on http has a line for every call; unless"
                            + " it or * is set it has none. With FATAL nothing is logged, and what"
                            + " ends the process is printed all the same");

    private static final Key<String> STORAGES =
            Key.of(
                    "pubsub.storages",
                    Kind.tree("password"),
                    "{}",
                    "only the name of the one storage counts; redis.url says where Redis is");

    private static final Key<String> TELEMETRY =
            Key.of("pubsub.telemetry", Kind.tree(), "{}", "accepted, and not used");

    private static final Key<String> SENTRY =
            Key.of("pubsub.sentry", Kind.tree(), "{}", "accepted, and not used");

    private static final List<Key<?>> TREES =
            List.of(HTTP, CHANNELS, ADMIN, LOGGING, STORAGES, TELEMETRY, SENTRY);

    static final Keys.Group KEYS =
            new Keys.Group(
                    "Message channels, in the words of the server whose clients are served",
                    List.of(
                            CONFIG,
                            STORAGE_ID,
                            HTTP,
                            CHANNELS,
                            ADMIN,
                            LOGGING,
                            STORAGES,
                            TELEMETRY,
                            SENTRY));

    public PubsubSettings {
        trustedProxies = List.copyOf(trustedProxies);
        defaultHeaders = List.copyOf(defaultHeaders);
        channels = List.copyOf(channels);
        adminNetworks = List.copyOf(adminNetworks);
        adminBearer = List.copyOf(adminBearer);
        logLevels = Map.copyOf(logLevels);
        warnings = List.copyOf(warnings);
    }

    public static final Block<PubsubSettings> BLOCK = new Block<>(KEYS, PubsubSettings::read);

    static PubsubSettings read(Values values) {
        return read(values, RedisSettings.BLOCK.read(values).addresses());
    }

    /**
     * What the values say.
     *
     * @param redis the addresses of the Redis that is used, to be compared with those of a file;
     *     none if it is embedded
     */
    static PubsubSettings read(Values values, List<String> redis) {
        Section root = Section.of(all(values), "pubsub", values);
        List<String> warnings = new ArrayList<>();
        HttpPart http = HttpPart.read(root.section("http"), warnings);
        List<ChannelEntry> channels = new ArrayList<>();
        for (Section entry : root.sections("channels")) {
            channels.add(ChannelEntry.read(entry, http.maxMessageBytes()));
        }
        Section admin = root.section("admin");
        Section auth = admin.section("auth");
        List<Network> networks = new AllowedValues(auth).networks("networks");
        List<String> bearer = auth.list("bearer", PubsubSettings::token);
        auth.end();
        admin.end();
        Map<String, String> levels = levels(root.section("logging"), warnings);
        Optional<String> storage = new StoragesPart(redis, warnings).id(root);
        UnusedParts.read(root, warnings);
        root.end();
        return new PubsubSettings(
                values.get(STORAGE_ID).or(() -> storage).orElse(STANDARD_ID),
                http.pathPrefix(),
                http.realIpHeader(),
                http.trustedProxies(),
                http.discloseAuthRejectionDetail(),
                http.defaultHeaders(),
                http.cors(),
                http.longPollingMaxTimeout(),
                http.pollingMaxMessages(),
                http.maxMessageBytes(),
                channels.isEmpty() ? List.of(ChannelEntry.ANY) : channels,
                networks,
                bearer,
                levels,
                warnings);
    }

    /** The file, and what counts more than it. */
    private static Tree all(Values values) {
        Tree nothing = new Tree.Nothing(new Origin.Standard());
        Tree file =
                values.get(CONFIG)
                        .map(path -> ReferenceFile.read(path, CONFIG, values))
                        .orElse(nothing);
        Map<String, Tree> all = new LinkedHashMap<>();
        if (file instanceof Tree.Group(Map<String, Tree> members, _)) {
            all.putAll(members);
        } else if (!(file instanceof Tree.Nothing)) {
            return file;
        }
        for (Key<?> key : TREES) {
            String name = key.name().substring("pubsub.".length());
            if (all.containsKey(name)) {
                values.underlay(key, all.get(name));
            }
            if (!(values.origin(key) instanceof Origin.Standard)) {
                all.put(name, values.tree(key));
            }
        }
        return new Tree.Group(all, new Origin.Standard());
    }

    /** Whether this can be the name of a storage: a handle with it needs no escaping. */
    static String id(String text) {
        if (!ID.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a valid storage name; use letters, digits, _ . and -."
                            .formatted(text));
        }
        return text;
    }

    private static String token(Tree.Plain plain) {
        if (plain.text().isBlank()) {
            throw new IllegalArgumentException("A token must not be empty.");
        }
        return plain.text();
    }

    private static Map<String, String> levels(Section logging, List<String> warnings) {
        Section categories = logging.section("category");
        Map<String, String> levels = new LinkedHashMap<>();
        for (String category : categories.names()) {
            String level = categories.get(category, "", plain -> level(plain.text()));
            if (!level.isEmpty()) {
                levels.put(category, level);
            }
        }
        if (!logging.section("attributes").names().isEmpty()) {
            warnings.add("logging.attributes is not used: log lines have no attributes here.");
        }
        logging.end();
        return levels;
    }

    /** A level of the reference, in small letters. */
    public static String level(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!LEVELS.contains(word)) {
            throw new IllegalArgumentException(
                    "'%s' is not one of DEBUG, INFO, WARN, ERROR, FATAL.".formatted(text));
        }
        return word;
    }

    /** How long the longest leeway is: a token may be used so much after its end. */
    public long longestLeewaySeconds() {
        return channels.stream()
                .flatMap(entry -> entry.jwt().stream())
                .map(JwtEntry::leeway)
                .mapToLong(leeway -> leeway.plusNanos(999_999_999).toSeconds())
                .max()
                .orElse(0);
    }

    /** Without the tokens and headers in it. */
    @Override
    public String toString() {
        return "PubsubSettings[storageId=%s, pathPrefix=%s, channels=%d]"
                .formatted(storageId, pathPrefix, channels.size());
    }
}
