package dev.millrace.hub.ops;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.http.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what admins did that is not itself a commit. When Redis is away that is no reason to
 * refuse a log level, which may be just what is needed then; the log has the line instead.
 */
final class Audited {
    private static final Logger log = LoggerFactory.getLogger(Audited.class);

    private final Audit audit;

    Audited(Audit audit) {
        this.audit = audit;
    }

    static Actor actor(Request request) {
        return new Actor(request.caller().name(), request.peer().getHostAddress());
    }

    void done(Request request, String what, String about) {
        done(actor(request), what, about, "done");
    }

    void done(Actor by, String what, String about, String result) {
        Outcome<Long> outcome;
        try {
            outcome = audit.record(by, what, about, result);
        } catch (RuntimeException e) {
            log.warn("{}: {} ({}). who={} audit={}", what, about, result, by, e.getMessage());
            return;
        }
        if (outcome.isStored()) {
            log.info("{}: {} ({}). who={} from={}", what, about, result, by.who(), by.from());
        } else {
            log.warn("{}: {} ({}). who={} audit={}", what, about, result, by, outcome);
        }
    }
}
