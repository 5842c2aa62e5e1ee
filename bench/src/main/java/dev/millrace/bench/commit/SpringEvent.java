package dev.millrace.bench.commit;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.redis.core.RedisHash;
import org.springframework.data.redis.core.index.Indexed;

/**
 * The event as Spring Data Redis wants it: a hash, four indexed fields (each a set for each value,
 * since it has no sorted ones), an id that it makes itself. A class with plain fields, because it
 * sets the id afterwards.
 */
@RedisHash("event")
final class SpringEvent {
    @Id @Nullable String id;
    @Indexed String device;
    String profile;
    @Indexed String source;
    @Indexed long created;
    long modified;
    long origin;
    @Indexed long pushed;
    Event.Reading reading;

    /** The names are those of the fields: Spring makes events from hashes with it. */
    SpringEvent(
            String device,
            String profile,
            String source,
            long created,
            long modified,
            long origin,
            long pushed,
            Event.Reading reading) {
        this.device = device;
        this.profile = profile;
        this.source = source;
        this.created = created;
        this.modified = modified;
        this.origin = origin;
        this.pushed = pushed;
        this.reading = reading;
    }

    static SpringEvent of(Event event) {
        return new SpringEvent(
                event.device(),
                event.profile(),
                event.source(),
                event.created(),
                event.modified(),
                event.origin(),
                event.pushed(),
                event.reading());
    }
}
