package dev.millrace.keyspace.backup.rdb;

/**
 * A key with its content, or with a part of it: large collections come in several, in order.
 *
 * @param expireAt when it expires, in ms since 1970; {@link #NEVER} if it does not
 * @param last whether no other part of this key follows
 */
public record Part(byte[] key, long expireAt, Body body, boolean last) {
    public static final long NEVER = -1;

    public boolean expires() {
        return expireAt != NEVER;
    }

    public Part withKey(byte[] newKey) {
        return new Part(newKey, expireAt, body, last);
    }

    public Part withBody(Body newBody) {
        return new Part(key, expireAt, newBody, last);
    }
}
