package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.backup.file.BackupEnd;
import dev.millrace.keyspace.backup.file.BackupHead;
import dev.millrace.keyspace.backup.file.BackupWriter;
import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.backup.rdb.Body;
import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.backup.rdb.SnapshotException;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.ServerInfo;
import dev.millrace.keyspace.redis.Words;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.walk.Primaries;
import dev.millrace.keyspace.store.move.MovePause;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Makes a backup from the snapshots that the servers make for a replica. Each server's is the state
 * of one moment, so what is written in one commit is in it whole or not at all: a value never comes
 * without its entries. Writers go on meanwhile. For one thread; run once.
 */
public final class Backup {
    /** In a node's description of itself: a slot that is just going to another node. */
    private static final Pattern WANDERING = Pattern.compile("\\[\\d+-[<>]-");

    private final Ground ground;
    private final ProgressNotes notes;
    private final Sorting sorting;
    private final List<ContentTally> tallies = new CopyOnWriteArrayList<>();
    private final UnfinishedMoves moves;
    private final AtomicLong sequence = new AtomicLong();

    public Backup(Ground ground, BackupListener listener) {
        this.ground = ground;
        this.notes = new ProgressNotes(listener);
        this.sorting = new Sorting(ground);
        this.moves = new UnfinishedMoves(ground);
    }

    // ---------------------------------------------------------------- to a file

    public BackupReport to(Path file, boolean replace, String by) {
        Path target = file.toAbsolutePath().normalize();
        if (Files.exists(target) && !replace) {
            throw new BackupException(
                    target + " exists already; choose another name, or have it replaced.");
        }
        if (Files.isDirectory(target)) {
            throw new BackupException(target + " is a directory; name a file.");
        }
        Path part = target.resolveSibling(target.getFileName() + ".part");
        try {
            // Also where the process is told to end meanwhile.
            part.toFile().deleteOnExit();
            BackupReport report;
            try (OutputStream out = forOwnerOnly(part)) {
                report = to(out, by);
            }
            sync(part, StandardOpenOption.WRITE);
            Files.move(
                    part,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            sync(part.resolveSibling(""), StandardOpenOption.READ);
            return report;
        } catch (IOException e) {
            throw cannotWrite(target, e);
        } catch (UncheckedIOException e) {
            throw cannotWrite(target, new IOException(e.getMessage(), e));
        } finally {
            delete(part);
        }
    }

    /** All of a site is in it, passwords and tokens too. */
    private static OutputStream forOwnerOnly(Path part) throws IOException {
        Files.deleteIfExists(part);
        boolean posix = part.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        return Channels.newOutputStream(
                Files.newByteChannel(
                        part,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        attributes));
    }

    private static BackupException cannotWrite(Path target, IOException e) {
        return new BackupException("%s cannot be written: %s".formatted(target, e.getMessage()));
    }

    private static void delete(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            // what is left is named .part, which nobody takes for a backup
        }
    }

    private static void sync(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        } catch (IOException e) {
            if (how != StandardOpenOption.READ) {
                throw e;
            }
            // not every system lets a directory be opened; there the file alone has to do
        }
    }

    // ---------------------------------------------------------------- to a stream

    public BackupReport to(OutputStream out, String by) {
        Primaries servers = Primaries.of(ground.redis());
        mustBeSettled(servers.endpoints());
        long began = ServerClock.now(ground.redis()).getMin();
        notes.step(BackupProgress.Step.PREPARING, servers.keys());
        ServerInfo info = ground.redis().server();
        BackupHead head =
                new BackupHead(
                        Instant.now(),
                        by,
                        info.product() + " " + info.version(),
                        ground.shards().cluster(),
                        servers.keys());
        try (BackupWriter writer = new BackupWriter(new Counting(out), head)) {
            MovePause pause =
                    MovePause.begin(ground)
                            .orElseThrow(
                                    () ->
                                            new BackupException(
                                                    "Another backup of this cluster is just"
                                                        + " beginning; try again in a minute."));
            try {
                new SnapshotWalk(ground.redis())
                        .over(
                                servers.endpoints(),
                                () -> {
                                    pause.end();
                                    notes.step(BackupProgress.Step.WRITING, servers.keys());
                                },
                                () -> visitor(writer, began));
            } finally {
                pause.end();
            }
            ContentTally tally = new ContentTally(sorting);
            moves.settled(
                    held -> {
                        tally.add(held.part());
                        writer.write(held);
                    });
            mustBe(servers);
            tallies.forEach(tally::add);
            BackupEnd end =
                    new BackupEnd(tally.keys(), tally.elements(), sequence.get(), tally.checksum());
            writer.end(end);
            return new BackupReport(end.keys(), notes.bytes(), end.checksum());
        } catch (SnapshotException e) {
            throw new BackupException(String.valueOf(e.getMessage()));
        }
    }

    /** One for each server; the tallies of all come together at the end. */
    private Consumer<Part> visitor(BackupWriter writer, long began) {
        ContentTally tally = new ContentTally(sorting);
        tallies.add(tally);
        return part -> {
            if (part.expires() && part.expireAt() <= began) {
                return; // gone already for whoever reads, although its memory is not freed yet
            }
            Sorting.Sorted name = sorting.sort(part.key());
            switch (name.kind()) {
                case CONTENT -> {
                    Part logical = part.withKey(name.key());
                    writer.write(new Held(name.shard(), logical));
                    tally.add(logical);
                    notes.add(logical.last() ? 1 : 0);
                }
                case SEQUENCE -> keepSequence(part);
                case MOVING -> moves.copy(name, part);
                case MOVED -> moves.receipt(name, part);
                case BOOKKEEPING -> {
                    // made anew where it is missing
                }
            }
        };
    }

    private void keepSequence(Part part) {
        if (part.body() instanceof Body.Text(byte[] bytes)) {
            try {
                long number = Long.parseLong(new String(bytes, StandardCharsets.US_ASCII));
                sequence.accumulateAndGet(number, Math::max);
            } catch (NumberFormatException e) {
                // somebody else's; the numbers begin anew
            }
        }
    }

    // ---------------------------------------------------------------- the servers

    /** In a cluster whose slots wander, a key could be in two snapshots or in none. */
    private void mustBeSettled(List<Endpoint> servers) {
        if (ground.shards().cluster()) {
            for (Endpoint server : servers) {
                try (OwnConnection connection = ground.redis().own(server)) {
                    String nodes =
                            Replies.textOrEmpty(
                                    connection.call(Words.text("CLUSTER"), Words.text("NODES")));
                    if (WANDERING.matcher(nodes).find()) {
                        throw new BackupException(
                                "Slots of this cluster are being moved; make the backup when that"
                                        + " has ended.");
                    }
                }
            }
        }
    }

    private void mustBe(Primaries before) {
        mustBeSettled(before.endpoints());
        List<String> now = new ArrayList<>(Primaries.of(ground.redis()).identity());
        if (!now.equals(before.identity())) {
            throw new BackupException(
                    "While the backup was made, a server was restarted or replaced, or slots were"
                            + " moved. Make it again.");
        }
    }

    /** Counts the bytes of the file. */
    private final class Counting extends FilterOutputStream {
        Counting(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            notes.addBytes(1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            notes.addBytes(length);
        }
    }
}
