package dev.millrace.hub.history;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.history.recording.Rules;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.ConfigurationKind;
import dev.millrace.hub.site.Site;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What is recorded and how long it is kept: what the configuration of the service says, over that
 * of the site, over the settings of the hub. Somebody else may change it, so it is read again every
 * two seconds; one that is wrong is told, and the rules stay as they were. Thread-safe.
 */
final class Configuration implements Supplier<Rules> {
    private static final Logger log = LoggerFactory.getLogger(Configuration.class);
    private static final String SERVICE = "hissrv";
    private static final String SERVICES = "services";
    private static final String RETENTION = "retention_days";
    private static final long EVERY = TimeUnit.SECONDS.toNanos(2);

    private final Keyspace keyspace;
    private final Site site;
    private final HistorySettings settings;
    private volatile Known known;

    /** As it was read. */
    private record Known(long at, Source source, Rules rules, List<String> faults) {}

    /** What rules are made of. */
    private record Source(Duration keep, Optional<ObjectNode> document) {}

    Configuration(Keyspace keyspace, Site site, HistorySettings settings) {
        this.keyspace = keyspace;
        this.site = site;
        this.settings = settings;
        Rules standard = Rules.of(settings.record(), settings.keepAge());
        this.known =
                new Known(
                        System.nanoTime() - EVERY,
                        new Source(settings.keepAge(), Optional.empty()),
                        standard,
                        List.of());
    }

    @Override
    public Rules get() {
        Known now = known;
        if (System.nanoTime() - now.at < EVERY) {
            return now.rules;
        }
        try {
            return read(now).rules;
        } catch (RedisException e) {
            return now.rules;
        }
    }

    private synchronized Known read(Known before) {
        if (known.at != before.at) {
            return known;
        }
        Source source = new Source(keep(), document());
        Known now = new Known(System.nanoTime(), source, before.rules, before.faults);
        if (!source.equals(before.source)) {
            now = rules(source, before);
        }
        known = now;
        return now;
    }

    private Known rules(Source source, Known before) {
        ObjectNode document = source.document.orElseGet(Json.MAPPER::createObjectNode);
        return switch (Rules.read(settings.record(), source.keep, document)) {
            case Rules.Read.Right(Rules rules) ->
                    new Known(System.nanoTime(), source, rules, List.of());
            case Rules.Read.Wrong(List<String> faults) -> {
                log.warn(
                        "The configuration of hissrv is wrong, and what counted before counts"
                                + " on. faults={}",
                        faults);
                yield new Known(System.nanoTime(), source, before.rules, faults);
            }
        };
    }

    private Duration keep() {
        String days = site.settings(keyspace).getOrDefault(RETENTION, "");
        return days.matches("[1-9][0-9]{0,3}")
                ? Duration.ofDays(Long.parseLong(days))
                : settings.keepAge();
    }

    private Optional<ConfigurationKind> services() {
        return site.kinds().stream().filter(each -> each.word().equals(SERVICES)).findFirst();
    }

    /** As somebody has written it; empty if nobody has. */
    Optional<ObjectNode> document() {
        return services().flatMap(kind -> kind.get(SERVICE));
    }

    /** What is wrong with it. */
    List<String> faults() {
        return known.faults;
    }

    /** Stores another one. */
    ConfigurationKind.Saved put(ObjectNode document, String user) {
        if (Rules.read(settings.record(), keep(), document)
                instanceof Rules.Read.Wrong(List<String> faults)) {
            return new ConfigurationKind.Saved.Not(
                    Refused.of(EmsCode.VALIDATION_ERROR, String.join(" ", faults)));
        }
        Optional<ConfigurationKind> kind = services();
        if (kind.isEmpty()) {
            return new ConfigurationKind.Saved.Not(
                    Refused.of(EmsCode.SERVICE_UNAVAILABLE, "The site has not started yet."));
        }
        ConfigurationKind.Saved saved =
                kind.get().put(SERVICE, document, OptionalLong.empty(), user);
        Known now = known;
        known = new Known(System.nanoTime() - EVERY, now.source, now.rules, now.faults);
        return saved;
    }
}
