package dev.millrace.hub.site;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.store.Store;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The configurations of services: any JSON object, for the service to make something of. */
final class Services implements ConfigurationKind {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");
    private static final int MOST = 1000;

    private final Keyspace keyspace;
    private final Site site;
    private final InstantSource clock;
    private final Store<ServiceConfiguration> store;

    Services(Keyspace keyspace, Site site, InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.clock = clock;
        this.store = keyspace.store(SiteLayouts.SERVICE_CONFIGURATION);
    }

    @Override
    public String word() {
        return "services";
    }

    @Override
    public KeyPattern pattern() {
        return SiteLayouts.SERVICE_CONFIGURATION.pattern();
    }

    @Override
    public List<String> ids() {
        return store.query(SiteLayouts.SERVICES).limit(MOST).page().items().stream()
                .map(Stored::id)
                .sorted()
                .toList();
    }

    @Override
    public Optional<ObjectNode> get(String id) {
        return NAME.matcher(id).matches()
                ? store.get(id).map(each -> each.value().document())
                : Optional.empty();
    }

    @Override
    public Optional<Refused> mistake(String id, ObjectNode document) {
        return NAME.matcher(id).matches()
                ? Optional.empty()
                : Optional.of(
                        Refused.of(
                                EmsCode.VALIDATION_ERROR,
                                "A service has 1 to 128 letters, digits and _ . -, beginning with a"
                                        + " letter or digit."));
    }

    @Override
    public Saved put(String id, ObjectNode document, OptionalLong expected, String user) {
        Optional<Refused> mistake = mistake(id, document);
        if (mistake.isPresent()) {
            return new Saved.Not(mistake.get());
        }
        return Attempts.until(
                () -> {
                    Optional<Stored<ServiceConfiguration>> before = store.get(id);
                    Optional<ObjectNode> old = before.map(each -> each.value().document());
                    Optional<Refused> stale = Stamps.stale(old, expected);
                    if (stale.isPresent()) {
                        return Attempts.ended(new Saved.Not(stale.get()));
                    }
                    if (old.isPresent() && Stamps.isSame(old.get(), document)) {
                        return Attempts.ended(new Saved.Done(old.get(), false));
                    }
                    if (before.isEmpty() && store.query(SiteLayouts.SERVICES).count() >= MOST) {
                        return Attempts.ended(
                                new Saved.Not(
                                        Refused.of(
                                                EmsCode.QUEUE_FULL,
                                                "There are 1,000 services already.")));
                    }
                    Site.Version version = site.version(keyspace);
                    ObjectNode stamped = Stamps.stamped(document, version, clock.instant());
                    ServiceConfiguration after = new ServiceConfiguration(id, stamped);
                    Commit commit = keyspace.commitAtSite();
                    if (before.isPresent()) {
                        commit.replace(SiteLayouts.SERVICE_CONFIGURATION, before.get(), after);
                    } else {
                        commit.create(SiteLayouts.SERVICE_CONFIGURATION, after);
                    }
                    site.change(
                            commit,
                            version,
                            new Site.Change(pattern().key(id), old, Optional.of(stamped), user),
                            clock.instant());
                    Outcome<Long> outcome = commit.run();
                    return new Attempts.Try<>(outcome, new Saved.Done(stamped, before.isEmpty()));
                });
    }

    @Override
    public Saved delete(String id, boolean force, String user) {
        return Attempts.until(
                () -> {
                    Optional<Stored<ServiceConfiguration>> before =
                            NAME.matcher(id).matches() ? store.get(id) : Optional.empty();
                    if (before.isEmpty()) {
                        return Attempts.ended(
                                new Saved.Not(
                                        Refused.of(
                                                EmsCode.NOT_FOUND,
                                                "Nothing is configured for this service.")));
                    }
                    Site.Version version = site.version(keyspace);
                    ObjectNode old = before.get().value().document();
                    Commit commit =
                            keyspace.commitAtSite()
                                    .delete(SiteLayouts.SERVICE_CONFIGURATION, before.get());
                    site.change(
                            commit,
                            version,
                            new Site.Change(
                                    pattern().key(id), Optional.of(old), Optional.empty(), user),
                            clock.instant());
                    return new Attempts.Try<>(commit.run(), new Saved.Done(old, false));
                });
    }
}
