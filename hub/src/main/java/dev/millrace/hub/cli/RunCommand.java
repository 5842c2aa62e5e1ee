package dev.millrace.hub.cli;

import dev.millrace.hub.ClearText;
import dev.millrace.hub.Hub;
import dev.millrace.hub.Settings;
import dev.millrace.hub.SiteRedis;
import dev.millrace.hub.cli.terminal.SettingsOptions;
import dev.millrace.hub.house.LogSettings;
import dev.millrace.hub.ops.Logs;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.redis.ServerInfo;
import dev.millrace.keyspace.redis.options.Durability;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code run}: opens Redis, says what it has found, and stays until it is told to stop. */
@Command(
        name = "run",
        description =
                "Start the hub. It stops, and its embedded Redis with it, at Ctrl-C or SIGTERM.")
final class RunCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(RunCommand.class);

    @Mixin private SettingsOptions options = new SettingsOptions();

    @Option(
            names = "--rehearse",
            paramLabel = "ROUNDS",
            hidden = true,
            arity = "0..1",
            fallbackValue = "300",
            description = "Do what clients do first when ready, and stop; see Rehearsal.")
    private int rehearse;

    @Override
    public Integer call() throws InterruptedException {
        serve(
                options.values(),
                (url, stop) -> {
                    if (rehearse > 0) {
                        Rehearsal.visit(url, rehearse);
                    } else {
                        stop.await();
                    }
                });
        return 0;
    }

    /** What is done while a hub serves; the hub ends with it. */
    @FunctionalInterface
    interface Served {
        void at(URI url, StopSignal stop) throws InterruptedException;
    }

    static void serve(Values values, Served served) throws InterruptedException {
        Settings settings = Settings.of(values);
        values.mustBeRight();
        Logs logs =
                Logs.install(
                        settings.log().level().name(),
                        settings.log().format() == LogSettings.Format.JSON);
        try (StopSignal stop = StopSignal.listen()) {
            log.info("Millrace {} is starting.", Hub.version());
            settings.remarks().forEach(each -> log.warn("{}", each));
            ClearText.advice(settings).forEach(each -> log.warn("{}", each.sentence()));
            Hub.prepare();
            try (SiteRedis site = SiteRedis.serve(settings)) {
                mustNotEvict(site);
                logRedis(site);
                logDurability(site, settings.durability());
                try (Hub hub = Hub.open(settings, values, site, logs)) {
                    logAccess(settings, hub);
                    log.info(
                            "Ready. Ctrl-C or SIGTERM stops it. pid={}",
                            ProcessHandle.current().pid());
                    System.out.println("ready " + hub.url());
                    served.at(URI.create(hub.url()), stop);
                    log.info("Stopping: what is in flight is finished first.");
                }
            }
            log.info("Stopped.");
        }
    }

    private static void logAccess(Settings settings, Hub hub) {
        switch (settings.access().mode()) {
            case OPEN ->
                    log.info(
                            "HTTP is at {}. Only this machine reaches it, and everybody on it may"
                                    + " do everything. access.mode=open",
                            hub.url());
            case TOKEN ->
                    log.info(
                            "HTTP is at {}. Callers need a token, or an address in"
                                    + " access.networks; ./millrace token create makes one."
                                    + " access.mode=token",
                            hub.url());
        }
    }

    private static void mustNotEvict(SiteRedis site) {
        site.evictionPolicy()
                .ifPresent(
                        policy -> {
                            throw new RedisException(
                                    Reason.REFUSED,
                                    "This Redis throws keys away when its memory is full"
                                            + " (maxmemory-policy is "
                                            + policy
                                            + "), which would tear values from their indexes. Type"
                                            + " CONFIG SET maxmemory-policy noeviction in redis-cli"
                                            + " on each of its servers, put the same into their"
                                            + " configuration, and start again.");
                        });
    }

    private static void logRedis(SiteRedis site) {
        ServerInfo server = site.redis().server();
        log.info(
                "Redis is {}. product={} version={} servers={}",
                site,
                server.product(),
                server.version(),
                site.redis().primaries());
    }

    private static void logDurability(SiteRedis site, Durability durability) {
        switch (durability) {
            case Durability.Memory memory -> logMemory(site);
            case Durability.Fsync fsync ->
                    log.info(
                            "What was acknowledged is on the disk and survives a power cut."
                                    + " durability=fsync appendfsync=always");
            case Durability.Replicas(int count) ->
                    log.info(
                            "What was acknowledged is held by the primary and its replicas, and"
                                    + " survives the loss of a server. What they do not confirm in"
                                    + " time is answered as stored, not confirmed. durability={}",
                            durability);
        }
    }

    private static void logMemory(SiteRedis site) {
        if (site.embedded()) {
            log.info(
                    "What was acknowledged survives a crash of Millrace or Redis. A power cut may"
                        + " take up to the last second with it: the append-only file reaches the"
                        + " disk once a second; --set durability=fsync changes that."
                        + " durability=memory appendfsync=everysec");
            return;
        }
        List<Endpoint> without = site.withoutAppendOnlyFile();
        if (without.isEmpty()) {
            log.info(
                    "This Redis keeps an append-only file; its appendfsync decides what a power cut"
                            + " may take with it. durability=memory");
        } else {
            log.warn(
                    "This Redis keeps no append-only file: what was written since its last snapshot"
                            + " is lost when it crashes. CONFIG SET appendonly yes in redis-cli"
                            + " changes that. servers={}",
                    without);
        }
    }
}
