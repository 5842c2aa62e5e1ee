package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.backup.file.BackupFileException;
import dev.millrace.keyspace.backup.file.BackupReader;
import dev.millrace.keyspace.backup.file.Checksum;
import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.backup.rdb.SnapshotException;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.walk.KeyWalk;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Fills an empty Redis from a backup file. The file is read once before anything is written, to
 * know that it is whole; a mark says that a restore is under way until the content has been read
 * back from a snapshot of the target and its checksum is that of the file. For one thread; run
 * once.
 */
public final class Restore {
    /** What says that a restore is not finished. */
    public static final List<Cell> KEYS = List.of(RestoreMark.CELL);

    /** More keys than that are not looked at one by one: it is not empty. */
    private static final long FEW = 10_000;

    private static final int SHOWN = 3;

    private final Ground ground;
    private final Redis redis;
    private final ProgressNotes notes;
    private final Sorting sorting;
    private final RestoreMark mark;
    private long keys;
    private long expired;

    public Restore(Ground ground, BackupListener listener) {
        this.ground = ground;
        this.redis = ground.redis();
        this.notes = new ProgressNotes(listener);
        this.sorting = new Sorting(ground);
        this.mark = new RestoreMark(ground);
    }

    public RestoreReport from(Path file) {
        try {
            return restore(file);
        } catch (SnapshotException | BackupFileException e) {
            throw new BackupException(String.valueOf(e.getMessage()));
        }
    }

    private RestoreReport restore(Path file) {
        mark.sentence()
                .ifPresent(
                        sentence -> {
                            throw new BackupException(sentence);
                        });
        mustBeEmpty();
        notes.step(BackupProgress.Step.READING, 0);
        ContentTally expected = new ContentTally(sorting);
        BackupReader.Whole whole =
                BackupReader.read(
                        file,
                        held -> {
                            expected.add(held.part());
                            notes.add(held.part().last() ? 1 : 0);
                        });
        mark.leave();
        notes.step(BackupProgress.Step.RESTORING, whole.end().keys());
        long merged = fill(file, whole, expected);
        goOnFrom(whole.end().sequence());

        notes.step(BackupProgress.Step.COMPARING, whole.end().keys());
        ContentTally found = look();
        long now = ServerClock.now(redis).getMax();
        Checksum wanted = expected.checksum();
        Checksum there = found.checksum();
        if (!wanted.equals(there)) {
            // What has expired meanwhile is in one of them only.
            wanted = expected.livingAfter(now);
            there = found.livingAfter(now);
        }
        RestoreReport report =
                new RestoreReport(whole.head(), keys, expired, merged, wanted, there);
        if (report.equal()) {
            mark.remove();
        }
        return report;
    }

    private long fill(Path file, BackupReader.Whole whole, ContentTally expected) {
        RestoreBatch batch = new RestoreBatch(redis);
        long began = ServerClock.now(redis).getMax();
        if (!ground.shards().cluster()) {
            RestoreToServer target = new RestoreToServer(ground, batch, expected);
            BackupReader.read(file, living(began, true, target::put));
            batch.flush();
            return target.merged();
        }
        RestoreToCluster target = new RestoreToCluster(ground, batch, whole.head().cluster());
        BackupReader.read(file, living(began, false, target::kinds));
        batch.flush();
        BackupReader.read(file, living(began, true, target::values));
        target.endOfValues();
        batch.flush();
        BackupReader.read(file, living(began, false, target::indexes));
        batch.flush();
        return 0;
    }

    /** What has not expired yet; counted in one reading only. */
    private Consumer<Held> living(long began, boolean counts, Consumer<Held> target) {
        return held -> {
            Part part = held.part();
            boolean alive = !part.expires() || part.expireAt() > began;
            if (alive) {
                target.accept(held);
            }
            if (counts && part.last()) {
                keys += alive ? 1 : 0;
                expired += alive ? 0 : 1;
                notes.add(1);
            }
        };
    }

    /** Numbers in logs go on: nobody shall see one a second time. */
    private void goOnFrom(long sequence) {
        if (sequence > 0) {
            RestoreBatch batch = new RestoreBatch(redis);
            for (Place place : ground.shards().all()) {
                byte[] key = place.key(Commit.SEQUENCE.name());
                batch.write(place, List.of(text("SET"), key, number(sequence)));
            }
            batch.flush();
        }
    }

    private ContentTally look() {
        List<ContentTally> tallies = new CopyOnWriteArrayList<>();
        new SnapshotWalk(redis)
                .over(
                        redis.primaries(),
                        () -> {},
                        () -> {
                            ContentTally tally = new ContentTally(sorting);
                            tallies.add(tally);
                            return part -> {
                                Sorting.Sorted name = sorting.sort(part.key());
                                if (name.kind() == Sorting.Kind.CONTENT) {
                                    tally.add(part.withKey(name.key()));
                                }
                                notes.add(part.last() ? 1 : 0);
                            };
                        });
        ContentTally found = new ContentTally(sorting);
        tallies.forEach(found::add);
        return found;
    }

    /** The engine's own keys do not count: a program that ran for a moment leaves some. */
    private void mustBeEmpty() {
        long count = 0;
        List<String> some = new ArrayList<>();
        for (Endpoint server : redis.primaries()) {
            try (OwnConnection connection = redis.own(server)) {
                long size = Replies.number(connection.call(text("DBSIZE")));
                String cursor = "0";
                do {
                    KeyWalk.Step step = KeyWalk.step(connection, cursor, KeyWalk.STEP);
                    cursor = step.next();
                    for (Object key : step.keys()) {
                        if (sorting.sort((byte[]) key).kind() == Sorting.Kind.CONTENT) {
                            count++;
                            some.add(new String((byte[]) key, StandardCharsets.UTF_8));
                        }
                    }
                } while (!cursor.equals("0") && (size <= FEW || some.size() < SHOWN));
                count = some.size() >= SHOWN && size > FEW ? Math.max(count, size) : count;
            }
        }
        if (count > 0) {
            throw new BackupException(
                    ("This Redis is not empty: it holds %d keys, for example %s. Restore into an"
                                    + " empty one, for example with %s.")
                            .formatted(
                                    count,
                                    String.join(
                                            ", ", some.subList(0, Math.min(SHOWN, some.size()))),
                                    EmbeddedServer.OTHER_DIRECTORY));
        }
    }
}
