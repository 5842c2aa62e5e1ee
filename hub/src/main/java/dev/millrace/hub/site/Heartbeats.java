package dev.millrace.hub.site;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.locks.Locks;
import dev.millrace.hub.work.Beat;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says of each service that this hub runs it, every few seconds, and takes care of those that say
 * nothing any more: whichever hub holds the lock {@code supervisor} sets them to error. The counts
 * of {@code status:system} are put right by the same hub. Thread-safe.
 */
final class Heartbeats implements AutoCloseable {
    /** What the reference knew as processes and this hub is all at once. */
    static final List<String> SERVICES =
            List.of("comsrv", "modsrv", "alarmsrv", "rulesrv", "hissrv", "apigateway");

    /** Somebody else's, which this hub does not run but looks after. */
    static final List<String> KNOWN =
            List.of("comsrv", "modsrv", "alarmsrv", "rulesrv", "hissrv", "apigateway", "netsrv");

    private static final String STATUS = "status";
    private static final String HEARTBEAT = "last_heartbeat";
    private static final String RUNNING = "running";
    private static final String STOPPED = "stopped";
    private static final String SUPERVISOR = "supervisor";
    private static final String EVENT = "service";
    private static final int SILENT = 3;
    private static final Duration RECONCILE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_LOCK = Duration.ofSeconds(15);
    private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);

    private final Keyspace keyspace;
    private final SiteKeys site;
    private final Locks locks;
    private final String version;
    private final Duration standard;
    private final InstantSource clock;
    private final String instance = UUID.randomUUID().toString().substring(0, 8);
    private final long startedAt;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("heartbeats").unstarted(this::run);
    private volatile Duration interval;
    private String token = "";
    private long reconciledAt = System.nanoTime() - RECONCILE.toNanos();

    Heartbeats(
            Keyspace keyspace,
            SiteKeys site,
            Locks locks,
            String version,
            Duration interval,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.locks = locks;
        this.version = version;
        this.standard = interval;
        this.interval = interval;
        this.clock = clock;
        this.startedAt = now();
        thread.start();
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private void run() {
        boolean failing = false;
        try {
            do {
                try {
                    interval = chosen();
                    beat();
                    supervise();
                    failing = false;
                } catch (RedisException e) {
                    if (!failing) {
                        log.warn(
                                "The status of services cannot be told. reason={}", e.getMessage());
                    }
                    failing = true;
                }
            } while (!closed.await(Beat.within(interval).toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---------------------------------------------------------------- this hub

    /** What is stored counts more than the setting. */
    private Duration chosen() {
        return SystemConfiguration.heartbeat(
                        keyspace.cells()
                                .fields(
                                        SystemConfiguration.key(),
                                        List.of(SystemConfiguration.HEARTBEAT))
                                .answer()
                                .or(Map.of()))
                .orElse(standard);
    }

    private void beat() {
        Map<String, String> hubs = alive();
        hubs.put(instance, Long.toString(now()));
        Commit commit = keyspace.commitAtSite();
        commit.setFields(SiteLayouts.HUBS.at(), Map.of(instance, Long.toString(now())));
        for (String service : SERVICES) {
            commit.setFields(SiteLayouts.SERVICE_STATUS.at(service), running(hubs));
        }
        commit.twice().run().orThrow();
    }

    private Map<String, String> running(Map<String, String> hubs) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(STATUS, RUNNING);
        fields.put(HEARTBEAT, Long.toString(now()));
        fields.put("version", version);
        fields.put("uptime", Long.toString(now() - startedAt));
        fields.put("instance", instance);
        fields.put("pid", Long.toString(ProcessHandle.current().pid()));
        fields.put("started_at", Long.toString(startedAt));
        fields.put("instances", new String(Json.write(hubs.keySet()), StandardCharsets.UTF_8));
        return fields;
    }

    /** Hubs that were heard of lately; the others are forgotten. */
    private Map<String, String> alive() {
        Map<String, String> all =
                new TreeMap<>(keyspace.cells().hash(SiteLayouts.HUBS.at()).answer().or(Map.of()));
        List<String> gone =
                all.entrySet().stream()
                        .filter(each -> !each.getKey().equals(instance))
                        .filter(each -> isSilent(each.getValue()))
                        .map(Map.Entry::getKey)
                        .toList();
        if (!gone.isEmpty()) {
            keyspace.commitAtSite().removeFields(SiteLayouts.HUBS.at(), gone).twice().run();
            all.keySet().removeAll(gone);
        }
        return all;
    }

    private boolean isSilent(String heartbeat) {
        return !heartbeat.matches("[0-9]{1,12}")
                || now() - Long.parseLong(heartbeat) > interval.multipliedBy(SILENT).toSeconds();
    }

    // ---------------------------------------------------------------- all hubs

    private void supervise() {
        Duration time = max(SHORTEST_LOCK, interval.multipliedBy(SILENT));
        boolean ours = !token.isEmpty() && locks.renew(SUPERVISOR, token, time);
        if (!ours) {
            token =
                    switch (locks.acquire(SUPERVISOR, instance, time)) {
                        case Locks.Taken.Ours(String given, long fence) -> given;
                        case Locks.Taken.Held held -> "";
                    };
            ours = !token.isEmpty();
        }
        if (!ours) {
            return;
        }
        Cells cells = keyspace.cells();
        Map<String, Cells.Question<Map<String, String>>> all = new LinkedHashMap<>();
        KNOWN.forEach(each -> all.put(each, cells.hash(SiteLayouts.SERVICE_STATUS.at(each))));
        all.forEach((service, status) -> look(service, status.answer().or(Map.of())));
        if (System.nanoTime() - reconciledAt >= RECONCILE.toNanos()) {
            reconcile();
            reconciledAt = System.nanoTime();
        }
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void look(String service, Map<String, String> status) {
        String heartbeat = status.getOrDefault(HEARTBEAT, "");
        if (!RUNNING.equals(status.get(STATUS)) || !isSilent(heartbeat)) {
            return;
        }
        Cell.Key key = SiteLayouts.SERVICE_STATUS.at(service);
        Commit commit = keyspace.commitAtSite();
        if (status.containsKey(HEARTBEAT)) {
            commit.fieldEquals(key, HEARTBEAT, heartbeat);
        } else {
            commit.fieldAbsent(key, HEARTBEAT);
        }
        commit.setFields(key, Map.of(STATUS, "error", "error", "No heartbeat."));
        site.event(
                commit,
                Declaration.SITE,
                EVENT,
                Map.of("type", "error", "service", service, HEARTBEAT, heartbeat),
                clock.instant());
        commit.run();
    }

    /** The counts follow from indexes; where somebody has spoilt one, it comes back here. */
    private void reconcile() {
        if (keyspace.redis().cluster() || site.indexes().isEmpty()) {
            return;
        }
        Commit commit = keyspace.commitAtSite();
        site.indexes()
                .forEach(
                        (counted, index) ->
                                site.size(
                                        commit,
                                        Declaration.SITE,
                                        counted,
                                        index.layout(),
                                        index.index()));
        commit.twice().run();
    }

    // ---------------------------------------------------------------- for people

    /** What each service says of itself. */
    Map<String, Map<String, String>> all() {
        Cells cells = keyspace.cells();
        Map<String, Cells.Question<Map<String, String>>> questions = new LinkedHashMap<>();
        KNOWN.forEach(each -> questions.put(each, cells.hash(SiteLayouts.SERVICE_STATUS.at(each))));
        Map<String, Map<String, String>> all = new LinkedHashMap<>();
        questions.forEach(
                (service, question) -> {
                    Map<String, String> status = question.answer().or(Map.of());
                    if (!status.isEmpty()) {
                        all.put(service, status);
                    }
                });
        return all;
    }

    /** The last of all hubs says that its services are stopped; the others run on. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
            if (!token.isEmpty()) {
                locks.release(SUPERVISOR, token);
            }
            List<String> others = new ArrayList<>(alive().keySet());
            others.remove(instance);
            Commit commit = keyspace.commitAtSite();
            commit.removeField(SiteLayouts.HUBS.at(), instance);
            if (others.isEmpty()) {
                for (String service : SERVICES) {
                    commit.setFields(
                            SiteLayouts.SERVICE_STATUS.at(service), Map.of(STATUS, STOPPED));
                }
            }
            commit.twice().run();
        } catch (RedisException e) {
            log.debug("That the services stop could not be told. reason={}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
