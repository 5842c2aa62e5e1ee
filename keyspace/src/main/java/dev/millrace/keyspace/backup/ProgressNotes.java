package dev.millrace.keyspace.backup;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Tells a listener every two seconds how far it is, whoever does the work. Thread-safe. */
final class ProgressNotes {
    private static final long EVERY = TimeUnit.SECONDS.toNanos(2);

    private final BackupListener listener;
    private final ReentrantLock telling = new ReentrantLock();
    private final AtomicLong keys = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile BackupProgress.Step step = BackupProgress.Step.PREPARING;
    private volatile long ofAbout;
    private long last = System.nanoTime();

    ProgressNotes(BackupListener listener) {
        this.listener = listener;
    }

    void step(BackupProgress.Step next, long about) {
        step = next;
        ofAbout = about;
        keys.set(0);
        if (next == BackupProgress.Step.PREPARING) {
            // It may take a while, and nothing is counted meanwhile.
            listener.progress(new BackupProgress(next, 0, about, 0));
        }
    }

    void add(long moreKeys) {
        keys.addAndGet(moreKeys);
        if (telling.tryLock()) {
            try {
                long now = System.nanoTime();
                if (now - last > EVERY) {
                    last = now;
                    listener.progress(new BackupProgress(step, keys.get(), ofAbout, bytes.get()));
                }
            } finally {
                telling.unlock();
            }
        }
    }

    void addBytes(long more) {
        bytes.addAndGet(more);
    }

    long bytes() {
        return bytes.get();
    }
}
