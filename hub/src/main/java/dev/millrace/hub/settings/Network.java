package dev.millrace.hub.settings;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A range of addresses, as {@code 10.0.0.0/8}, {@code fd00::/8} or a single address. No name is
 * ever looked up.
 */
public record Network(InetAddress address, int prefix) {
    /** How many bits stand before an IPv4 address that is written as {@code ::ffff:10.0.0.1}. */
    private static final int MAPPED = 96;

    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    public Network {
        int bits = address.getAddress().length * Byte.SIZE;
        if (prefix < 0 || prefix > bits) {
            throw new IllegalArgumentException(
                    "A range of %s ends in /0 to /%d.".formatted(address.getHostAddress(), bits));
        }
        if (!Arrays.equals(masked(address, prefix), address.getAddress())) {
            throw new IllegalArgumentException(
                    "'%s/%d' is the address of a machine, not of a range; its last %d bits must be 0."
                            .formatted(address.getHostAddress(), prefix, bits - prefix));
        }
    }

    /**
     * Reads a range.
     *
     * @throws IllegalArgumentException with a sentence that says how to write one
     */
    public static Network of(String text) {
        int slash = text.indexOf('/');
        String length = slash < 0 ? "" : text.substring(slash + 1);
        String literal = slash < 0 ? text : text.substring(0, slash);
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(literal);
        } catch (IllegalArgumentException e) {
            throw wrong(text);
        }
        // Java reads 10.0.7 as 10.0.0.7, which nobody means.
        if (!literal.contains(":") && !WHOLE.matcher(literal).matches()) {
            throw wrong(text);
        }
        if (slash < 0) {
            return new Network(address, address.getAddress().length * Byte.SIZE);
        }
        if (!length.matches("[0-9]{1,3}")) {
            throw wrong(text);
        }
        // An IPv4 address that is written as IPv6 counts as what it is.
        boolean mapped = address instanceof Inet4Address && text.contains(":");
        return new Network(address, Integer.parseInt(length) - (mapped ? MAPPED : 0));
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "'%s' is not a valid range of addresses; write 10.0.0.0/8 or 192.168.1.7."
                        .formatted(text));
    }

    public boolean contains(InetAddress other) {
        return other.getAddress().length == address.getAddress().length
                && Arrays.equals(masked(other, prefix), address.getAddress());
    }

    private static byte[] masked(InetAddress address, int prefix) {
        byte[] bytes = address.getAddress();
        for (int i = 0; i < bytes.length; i++) {
            int kept = Math.clamp(prefix - (long) i * Byte.SIZE, 0, Byte.SIZE);
            bytes[i] &= (byte) (0xff << (Byte.SIZE - kept));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + prefix;
    }
}
