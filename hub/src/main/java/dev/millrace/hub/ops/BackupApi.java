package dev.millrace.hub.ops;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.backup.BackupListener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@code /ops/backup}: the file that {@code ./millrace backup} writes, as a download. One at a
 * time: Redis makes a snapshot for each.
 */
final class BackupApi {
    private final Keyspace keyspace;
    private final Audited audited;
    private final String version;
    private final AtomicBoolean running = new AtomicBoolean();

    BackupApi(Keyspace keyspace, Audited audited, String version) {
        this.keyspace = keyspace;
        this.audited = audited;
        this.version = version;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/ops/backup")
                        .needs(Role.ADMIN, "ops")
                        .about("Everything in one file, for ./millrace restore.")
                        .givesType("application/gzip")
                        .by(this::backup));
    }

    private static Problem another() {
        return Problem.retryable(
                Code.CONFLICT, "Another backup is being made.", Duration.ofSeconds(30));
    }

    private Answer backup(Request request) {
        if (running.get()) {
            throw another();
        }
        return Answer.streamed(
                        "application/gzip",
                        out -> {
                            if (!running.compareAndSet(false, true)) {
                                throw another();
                            }
                            try {
                                keyspace.backup(
                                        out, "millrace " + version, new BackupListener() {});
                                audited.done(request, "backup made", "download");
                            } finally {
                                running.set(false);
                            }
                        })
                .with("Content-Disposition", "attachment; filename=\"millrace.backup\"");
    }
}
