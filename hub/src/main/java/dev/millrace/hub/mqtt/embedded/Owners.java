package dev.millrace.hub.mqtt.embedded;

import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Whose client ids are. Whoever connects with the client id of another takes over that one's
 * session, and with it what waits there, or ends it: so a client id belongs to the token with which
 * it was first used, as long as there is a session of that name. It is kept beside the sessions, in
 * the broker's own journal, since they survive a restart. Once the token is no more, its client ids
 * are anybody's; a device that gets a new token goes on with its session. Thread-safe.
 */
final class Owners {
    private static final Logger log = LoggerFactory.getLogger(Owners.class);
    private static final String KEPT = "millrace.mqtt.owners";

    private final StorageManager storage;
    private final Predicate<String> around;
    private final int most;
    private final Map<String, String> owners = new ConcurrentHashMap<>();

    /** What the journal has of them. */
    private final Map<String, String> kept = new ConcurrentHashMap<>();

    /** Of these there was nothing at the last look. */
    private Set<String> absent = Set.of();

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
    Owners(StorageManager storage, Predicate<String> around, int most) {
        this.storage = storage;
        this.around = around;
        this.most = most;
        storage.getPersistedKeyValuePairs(KEPT)
                .forEach((client, pair) -> kept.put(client, pair.getValue()));
        owners.putAll(kept);
    }

    /** Whether the client id is, or now becomes, the caller's. */
    Claim claim(String client, String caller) {
        String now = owners.get(client);
        if (caller.equals(now)) {
            return Claim.GRANTED;
        }
        if (now == null && owners.size() >= most) {
            return Claim.TOO_MANY;
        }
        String owner =
                owners.merge(
                        client,
                        caller,
                        (before, claiming) -> around.test(before) ? before : claiming);
        return owner.equals(caller) ? Claim.GRANTED : Claim.ANOTHERS;
    }

    /**
     * Notes for the time after a restart whose it is; for a session that outlives its connection.
     */
    void keep(String client, String caller) {
        if (caller.equals(kept.put(client, caller))) {
            return;
        }
        try {
            storage.storeKeyValuePair(new PersistedKeyValuePair(KEPT, client, caller));
        } catch (Exception e) {
            log.warn(
                    "After a restart it will not be known whose a client id is. client={}"
                            + " reason={}",
                    client,
                    e.toString());
        }
    }

    /**
     * Forgets those of which nothing is left, at two looks in a row: who is only just being let in
     * has no session yet. One thread calls this.
     */
    void forgetAllBut(Predicate<String> present) {
        Set<String> missing = new HashSet<>();
        for (String client : owners.keySet()) {
            if (present.test(client)) {
                continue;
            }
            if (absent.contains(client)) {
                owners.remove(client);
                forget(client);
            } else {
                missing.add(client);
            }
        }
        absent = missing;
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
