package dev.millrace.keyspace.redis;

import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

/** An error the server answered with: its code word decides what follows. */
record ErrorReply(String message) {

    /** What an error answer means for the request it answers. */
    enum Meaning {
        /** Not executed; the same bytes may be sent again after a moment. */
        AGAIN,
        /** Not executed; the script has to be loaded first. */
        LOAD_SCRIPT,
        /** Not executed; another node owns the slot now. */
        MOVED,
        /** Not executed; another node has these keys for the time of a migration. */
        ASK,
        /** Not executed, and sending it again would not help. */
        FINAL
    }

    String code() {
        int blank = message.indexOf(' ');
        return blank < 0 ? message : message.substring(0, blank);
    }

    Meaning meaning() {
        return switch (code()) {
            case "TRYAGAIN", "LOADING", "BUSY", "CLUSTERDOWN", "MASTERDOWN" -> Meaning.AGAIN;
            case "NOSCRIPT" -> Meaning.LOAD_SCRIPT;
            case "MOVED" -> Meaning.MOVED;
            case "ASK" -> Meaning.ASK;
            default -> Meaning.FINAL;
        };
    }

    /** Whether a script was already running, and may have written something, when it failed. */
    boolean insideScript() {
        return message.contains("user_script");
    }

    /** The address in {@code MOVED 3999 127.0.0.1:6381}. */
    String target() {
        return message.substring(message.lastIndexOf(' ') + 1);
    }

    RedisException asException() {
        return switch (code()) {
            case "OOM" ->
                    new RedisException(
                            Reason.FULL,
                            "Redis has reached its maxmemory; free memory or raise the limit.");
            case "MISCONF" ->
                    new RedisException(
                            Reason.FULL,
                            "Redis cannot write to its disk and takes no writes: " + message);
            case "READONLY" ->
                    new RedisException(
                            Reason.READ_ONLY,
                            "This Redis is a read-only replica; connect to its primary.");
            case "NOAUTH", "WRONGPASS", "NOPERM" ->
                    new RedisException(
                            Reason.DENIED, "Redis refuses this user or password: " + message);
            case "WRONGTYPE" ->
                    new RedisException(
                            Reason.WRONG_TYPE,
                            "A key holds another type than expected: " + message);
            case "NOREPLICAS", "TRYAGAIN", "LOADING", "BUSY", "CLUSTERDOWN", "MASTERDOWN" ->
                    new RedisException(
                            Reason.UNAVAILABLE,
                            "Redis is not ready, try again shortly: " + message);
            default -> new RedisException(Reason.ERROR, "Redis answered with an error: " + message);
        };
    }
}
