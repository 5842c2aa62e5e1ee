package dev.millrace.hub.readings;

import net.openhft.hashing.LongHashFunction;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How the checksum of an event in binary form is made, by which its sender may tell later that it
 * was exported. It is a name, not a protection.
 */
public enum Checksum {
    XXHASH,
    MD5;

    private static final LongHashFunction XX = LongHashFunction.xx();

    /** Of a whole body, in small hexadecimal digits. */
    public String of(byte[] body) {
        return switch (this) {
            case XXHASH -> Long.toHexString(XX.hashBytes(body));
            case MD5 -> HexFormat.of().formatHex(md5().digest(body));
        };
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has MD5.", e);
        }
    }
}
