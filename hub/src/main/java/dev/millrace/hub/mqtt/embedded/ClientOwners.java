package dev.millrace.hub.mqtt.embedded;

import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Whose client ids are. Whoever connects with the client id of another takes over that one's
 * session, and with it what waits there, or ends it: so a client id belongs to the token with which
 * it was first used, as long as there is a session of that name. It is kept beside the sessions, in
 * the broker's own journal, since they survive a restart. Once the token is gone, its client ids
 * are anybody's; a device that gets a new token goes on with its session. Thread-safe.
 */
final class ClientOwners {
    private static final Logger log = LoggerFactory.getLogger(ClientOwners.class);
    private static final String KEPT = "millrace.mqtt.owners";

    private final StorageManager storage;
    private final Predicate<String> around;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> owners = new HashMap<>();

    /** What the journal has of them. */
    private final Map<String, String> kept = new HashMap<>();

    /** Of these there was nothing at the last look, and nobody has come since. */
    private final Set<String> absent = new HashSet<>();

    /** What came of a claim. */
    enum Claim {
        GRANTED,
        ANOTHERS,
        TOO_MANY
    }

    /**
     * Those that were kept.
     *
     * @param around whether there is still a caller of this name
     * @param most how many there may be, and with them sessions of guests
     */
    ClientOwners(StorageManager storage, Predicate<String> around, int most) {
        this.storage = storage;
        this.around = around;
        this.most = most;
        storage.getPersistedKeyValuePairs(KEPT)
                .forEach((client, pair) -> kept.put(client, pair.getValue()));
        owners.putAll(kept);
    }

    /** Whether the client id is, or now becomes, the caller's. */
    Claim claim(String client, String caller) {
        lock.lock();
        try {
            String now = owners.get(client);
            if (now == null && owners.size() >= most) {
                return Claim.TOO_MANY;
            }
            if (now != null && !now.equals(caller) && around.test(now)) {
                return Claim.ANOTHERS;
            }
            owners.put(client, caller);
            absent.remove(client);
            return Claim.GRANTED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes for the time after a restart whose it is; for a session that outlives its connection.
     */
    void keep(String client, String caller) {
        lock.lock();
        try {
            if (caller.equals(kept.put(client, caller))) {
                return;
            }
            owners.put(client, caller);
            storage.storeKeyValuePair(new PersistedKeyValuePair(KEPT, client, caller));
        } catch (Exception e) {
            log.warn(
                    "The owner of a client id could not be stored and will be unknown after a"
                            + " restart. client={} reason={}",
                    client,
                    e.toString());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets those of which nothing is left, at two looks in a row: who is only just being let in
     * has no session yet.
     */
    void forgetAllBut(Predicate<String> present) {
        lock.lock();
        try {
            Set<String> missing = new HashSet<>(owners.keySet());
            missing.removeIf(present);
            for (String client : missing) {
                if (absent.contains(client)) {
                    owners.remove(client);
                    forget(client);
                }
            }
            missing.removeAll(absent);
            absent.clear();
            absent.addAll(missing);
        } finally {
            lock.unlock();
        }
    }

    private void forget(String client) {
        if (kept.remove(client) == null) {
            return;
        }
        try {
            storage.deleteKeyValuePair(KEPT, client);
        } catch (Exception e) {
            log.warn("A client id was not forgotten. client={} reason={}", client, e.toString());
        }
    }
}
