package dev.millrace.keyspace;

import static dev.millrace.keyspace.Commit.number;
import static dev.millrace.keyspace.Commit.text;

import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps the {@link CheckMark} of the site's one check at {@code millrace:check}, a hash: the mark,
 * each finding in a field of its own (so that only new ones have to be written), and who is at work
 * and was seen when. The last makes it a lock too: a second check is refused while the first one is
 * alive. Nothing of it remains when a check has finished, and a mark that nobody comes back for
 * goes after a day.
 */
final class CheckMarks {
    static final String KEY = "millrace:check";

    /** A check that has not been heard of for so long is dead. */
    static final Duration ALIVE = Duration.ofSeconds(15);

    private static final Duration KEPT = Duration.ofDays(1);
    private static final Script KEEP = Script.of(CheckMarks.class, "keep");
    private static final Script LEAVE = Script.emptying(CheckMarks.class, "leave");
    private static final RecordJson<CheckMark> MARK = new RecordJson<>(CheckMark.class);
    private static final RecordJson<Finding> FINDING = new RecordJson<>(Finding.class);

    private final Keyspace keyspace;
    private final Place place;
    private final String holder = UUID.randomUUID().toString();
    private int kept;
    private boolean anew;

    CheckMarks(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.place = keyspace.shards().place(Shards.SITE);
    }

    /** The place of a check and what it had found. */
    record Kept(CheckMark mark, List<Finding> findings) {}

    /** Whether nobody else is at work; from now on it is us. */
    boolean claim() {
        return keep(List.of());
    }

    /** When whoever is at work was seen last; empty if nobody is. */
    String seen() {
        return fields().getOrDefault("seen", "");
    }

    /** What an earlier check has left; empty also if it cannot be read. */
    Optional<Kept> load() {
        Map<String, String> fields = fields();
        String json = fields.get("mark");
        if (json == null) {
            return Optional.empty();
        }
        try {
            CheckMark mark = MARK.decode(text(json));
            List<Finding> findings = new ArrayList<>();
            for (int i = 0; i < mark.counts().findings(); i++) {
                findings.add(FINDING.decode(text(fields.getOrDefault(field(i), ""))));
            }
            kept = findings.size();
            return Optional.of(new Kept(mark, findings));
        } catch (RuntimeException e) {
            return Optional.empty(); // of another version
        }
    }

    /** Forgets what an earlier check has left, with the next mark that is kept. */
    void beginAnew() {
        kept = 0;
        anew = true;
    }

    /** False if somebody else is at work now. */
    boolean keep(CheckMark mark, List<Finding> findings) {
        List<byte[]> fields = new ArrayList<>();
        fields.add(text("mark"));
        fields.add(MARK.encode(mark, null));
        int count = mark.counts().findings();
        for (int i = kept; i < count; i++) {
            fields.add(text(field(i)));
            fields.add(FINDING.encode(findings.get(i), null));
        }
        boolean done = keep(fields);
        kept = done ? count : kept;
        anew &= !done;
        return done;
    }

    private boolean keep(List<byte[]> fields) {
        List<byte[]> args = new ArrayList<>();
        args.add(text(holder));
        args.add(number(ALIVE.toMillis()));
        args.add(number(KEPT.toMillis()));
        args.add(text(anew ? "1" : "0"));
        args.addAll(fields);
        return call(KEEP, args) == 1;
    }

    /** It is finished: nothing remains. */
    void remove() {
        call(LEAVE, List.of(text(holder), text("1")));
    }

    /** It is stopped: the next one may go on at once. */
    void leave() {
        call(LEAVE, List.of(text(holder), text("0")));
    }

    private long call(Script script, List<byte[]> args) {
        Request request =
                Request.script(
                                script,
                                place.order(),
                                place.slot(),
                                new byte[][] {place.key(KEY)},
                                args.toArray(byte[][]::new))
                        .twice();
        return Replies.number(keyspace.redis().call(request));
    }

    private Map<String, String> fields() {
        List<?> flat = Replies.list(keyspace.redis().call(Check.ask(place, "HGETALL", KEY)));
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            fields.put(Replies.textOrEmpty(flat.get(i)), Replies.textOrEmpty(flat.get(i + 1)));
        }
        return fields;
    }

    private static String field(int finding) {
        return "finding:" + finding;
    }
}
