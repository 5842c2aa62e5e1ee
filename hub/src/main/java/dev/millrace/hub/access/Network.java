package dev.millrace.hub.access;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses that get a role without a token: {@code 10.0.0.0/8=viewer}. IPv4 or IPv6; an IPv4
 * address that is written as IPv6 ({@code ::ffff:10.0.0.1}) counts as what it is.
 *
 * @param bits of the address that count
 */
public record Network(InetAddress address, int bits, Role role) {
    private static final Pattern FORM = Pattern.compile("([0-9A-Fa-f:.]+)(?:/([0-9]{1,3}))?");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /** How many bits stand before the address in an IPv4 address that is written as IPv6. */
    private static final int MAPPED = 96;

    public Network {
        int length = address.getAddress().length * 8;
        if (bits < 0 || bits > length) {
            throw new IllegalArgumentException(
                    "%s has %d bits, so /%d is no network."
                            .formatted(address.getHostAddress(), length, bits));
        }
        InetAddress first = masked(address, bits);
        if (!first.equals(address)) {
            throw new IllegalArgumentException(
                    "%s/%d is one address of a network; write %s/%d for the network, or /%d for the"
                                    .formatted(
                                            address.getHostAddress(),
                                            bits,
                                            first.getHostAddress(),
                                            bits,
                                            length)
                            + " address.");
        }
    }

    /**
     * Reads {@code 10.0.0.0/8=viewer}, {@code fd00::/8=operator} or {@code 192.168.1.7=admin}.
     *
     * @throws IllegalArgumentException with a sentence for a person
     */
    public static Network parse(String text) {
        int equals = text.indexOf('=');
        Matcher form = FORM.matcher(equals < 0 ? "" : text.substring(0, equals).strip());
        if (!form.matches()) {
            throw bad(text);
        }
        String written = form.group(1);
        InetAddress address = literal(written, text);
        int length = address.getAddress().length * 8;
        int bits = form.group(2) == null ? length : Integer.parseInt(form.group(2));
        if (address instanceof Inet4Address && written.contains(":") && form.group(2) != null) {
            bits -= MAPPED;
        }
        return new Network(address, bits, Role.parse(text.substring(equals + 1).strip()));
    }

    private static InetAddress literal(String written, String text) {
        try {
            if (written.contains(":") || IPV4.matcher(written).matches()) {
                return InetAddress.ofLiteral(written);
            }
        } catch (IllegalArgumentException e) {
            // said below, in our words
        }
        throw bad(text);
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException(
                "'%s' is no network with its role; write 10.0.0.0/8=viewer or fd00::/8=operator."
                        .formatted(text));
    }

    boolean covers(InetAddress peer) {
        byte[] mine = address.getAddress();
        byte[] theirs = peer.getAddress();
        if (mine.length != theirs.length) {
            return false;
        }
        int whole = bits / 8;
        int rest = bits % 8;
        return Arrays.equals(mine, 0, whole, theirs, 0, whole)
                && (rest == 0 || ((mine[whole] ^ theirs[whole]) & 0xff) >>> (8 - rest) == 0);
    }

    private static InetAddress masked(InetAddress address, int bits) {
        byte[] bytes = address.getAddress();
        for (int i = 0; i < bytes.length; i++) {
            int kept = Math.clamp(bits - 8L * i, 0, 8);
            bytes[i] = (byte) (bytes[i] & (0xff00 >> kept));
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of the same length is one.", e);
        }
    }

    /** Without its role: {@code 10.0.0.0/8}. */
    public String range() {
        return address.getHostAddress() + "/" + bits;
    }

    @Override
    public String toString() {
        return range() + "=" + role.word();
    }
}
