package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.AppendFsync;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer.Options;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.ChildJvm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The hub that {@link PowerCutTest} kills: a JVM with an embedded server that, from {@code go} to
 * {@code stop}, writes as hard as it can. Writers create events, each with a fact and some with an
 * item due at once, and change and delete some of them; readers copy the facts, workers do the
 * items. There are two of each under one name, and some workers dawdle until another has claimed
 * the same, because one alone would never need the checks that keep them apart.
 */
final class PowerCutHub {
    private static final int WRITERS = 8;
    private static final Duration LEASE = Duration.ofMillis(40);
    private static final Duration A_WHILE = Duration.ofMillis(20);

    private final PowerCutEffects effects;
    private final Keyspace keyspace;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger claims = new AtomicInteger();

    /** One phase while it writes, the next while it is quiet. */
    private final Phaser turns = new Phaser(1);

    private volatile boolean going;

    private PowerCutHub(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.effects = new PowerCutEffects(keyspace, ChildJvm::news);
    }

    public static void main(String[] args) throws IOException {
        Options options = Options.defaults().withFsync(AppendFsync.valueOf(args[1]));
        // Not closed: this process is here to be killed.
        EmbeddedServer server = EmbeddedServer.start(Path.of(args[0]), options);
        Redis redis = server.connect(server.redisOptions());
        PowerCutHub hub = new PowerCutHub(new Keyspace(redis, Plant.CATALOGUE));
        hub.start();
        ChildJvm.answer("ready");
        ChildJvm.obey(hub::obey);
    }

    private void start() {
        for (int i = 0; i < WRITERS; i++) {
            String device = "device" + i;
            again(() -> write(device));
        }
        for (int i = 0; i < 2; i++) {
            again(() -> effects.copyFacts(A_WHILE));
            again(() -> effects.doItems(10, LEASE, this::dawdle));
        }
    }

    private void obey(String order) {
        going = order.equals("go");
        turns.arriveAndAwaitAdvance();
        ChildJvm.answer(order);
    }

    /** Every fifth claim is held until its lease is over. */
    private void dawdle() {
        if (claims.incrementAndGet() % 5 == 0) {
            LockSupport.parkNanos(LEASE.plus(A_WHILE).toNanos());
        }
    }

    private void again(Runnable work) {
        turns.register();
        Thread.startVirtualThread(
                () -> {
                    while (true) {
                        turns.arriveAndAwaitAdvance();
                        while (going) {
                            try {
                                work.run();
                            } catch (RedisException e) {
                                // The server is away. Readers and workers try again; writers have
                                // said what they were about to do.
                                LockSupport.parkNanos(A_WHILE.toNanos());
                            }
                        }
                    }
                });
    }

    private void write(String device) {
        int number = next.incrementAndGet();
        boolean item = number % 4 == 0;
        Event event = new Event(Shards.mint(device), device, number, 0);
        ChildJvm.news("tried create " + event.id() + (item ? " item" : ""));
        Commit create =
                keyspace.commit(device)
                        .create(Plant.EVENTS, event)
                        .with(
                                keyspace.feed(PowerCutEffects.TOPIC)
                                        .fact(event.id().getBytes(UTF_8)));
        if (item) {
            create.with(effects.schedule().item(event.id(), 1, new byte[0]));
        }
        if (!tell("create", event.id(), create.run())) {
            return;
        }
        // After a power cut without fsync it may be gone, though it was acknowledged.
        Optional<Stored<Event>> stored = keyspace.store(Plant.EVENTS).get(event.id());
        if (stored.isPresent() && number % 3 == 0) {
            ChildJvm.news("tried push " + event.id());
            Event pushed = new Event(event.id(), device, number, number);
            Commit push = keyspace.commit(device).replace(Plant.EVENTS, stored.get(), pushed);
            tell("push", event.id(), push.run());
        } else if (stored.isPresent() && number % 3 == 1) {
            ChildJvm.news("tried delete " + event.id());
            Commit delete = keyspace.commit(device).delete(Plant.EVENTS, stored.get());
            tell("delete", event.id(), delete.run());
        }
    }

    private static boolean tell(String what, String id, Outcome<Long> outcome) {
        switch (outcome) {
            case Outcome.Done<Long> done -> ChildJvm.news("done " + what + " " + id);
            case Outcome.NotDone<Long> not ->
                    ChildJvm.news("not " + what + " " + id + " " + not.reason());
            case Outcome.Unconfirmed<Long> stored -> throw new AssertionError(stored);
            case Outcome.Unknown<Long> unknown -> {}
        }
        return outcome.isDone();
    }
}
