package dev.millrace.hub.shop.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.millrace.hub.http.PathText;
import dev.millrace.hub.shop.pages.PagesSettings.ItemPath;
import dev.millrace.hub.shop.visits.Names;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which page an address is. Spellings that mean the same lead to the same page: parameters in
 * another order, those that change nothing, a letter that need not be percent-encoded, a default
 * port. Hashes are of SHA-256, so no two pages ever meet. Thread-safe.
 */
final class Addresses {
    private static final String UNRESERVED = "-._~";
    private static final int REMEMBERED_BYTES = 8 << 20;
    private static final int MOST_PARAMETERS = 200;

    private final PagesSettings settings;
    private final List<ItemPath> paths;

    /** Popular pages are asked for under few spellings. */
    private final Cache<String, Address> remembered =
            Caffeine.newBuilder()
                    .maximumWeight(REMEMBERED_BYTES)
                    .weigher((String text, Address address) -> 400 + 4 * text.length())
                    .build();

    Addresses(PagesSettings settings) {
        this.settings = settings;
        this.paths = settings.paths().stream().map(ItemPath::of).toList();
    }

    /**
     * The page.
     *
     * @param target path and query
     */
    Address of(String host, String target) {
        return of(host, target, "");
    }

    /**
     * The page, where a trusted proxy was asked for it.
     *
     * @param told what that proxy says about the address; empty for nothing of interest
     */
    Address of(String host, String target, String told) {
        Address plain = plainOf(host, target);
        return told.isEmpty()
                ? plain
                : new Address(
                        hash(plain.hash() + "\n" + told),
                        plain.group(),
                        plain.url(),
                        plain.target(),
                        plain.item());
    }

    private Address plainOf(String host, String target) {
        String text = host + target;
        Address known = remembered.getIfPresent(text);
        if (known != null) {
            return known;
        }
        Address address = make(host, target);
        remembered.put(text, address);
        return address;
    }

    private Address make(String host, String target) {
        int mark = target.indexOf('?');
        String path = plain(mark < 0 ? target : target.substring(0, mark));
        List<String> query = new ArrayList<>();
        List<String> raw = new ArrayList<>();
        Optional<String> item = Optional.empty();
        boolean dynamic = false;
        if (mark >= 0) {
            String[] pairs = target.substring(mark + 1).split("&", -1);
            dynamic = pairs.length > MOST_PARAMETERS;
            for (String pair : pairs) {
                String name = name(pair);
                dynamic |= name.equals(settings.dynamic());
                if (item.isEmpty() && name.equals(settings.item())) {
                    int equals = pair.indexOf('=');
                    item = item(equals < 0 ? "" : pair.substring(equals + 1), true);
                }
                if (!pair.isEmpty() && !isIgnored(name)) {
                    query.add(plain(pair));
                    raw.add(pair);
                }
            }
        }
        for (int i = 0; i < paths.size() && item.isEmpty(); i++) {
            item = paths.get(i).find(path).flatMap(part -> item(part, false));
        }
        query.sort(Comparator.comparing(Addresses::name));
        String url = host(host) + path + (query.isEmpty() ? "" : "?" + String.join("&", query));
        String asked = mark < 0 ? target : target.substring(0, mark);
        return new Address(
                hash("GET\n" + url),
                url,
                raw.isEmpty() ? asked : asked + "?" + String.join("&", raw),
                dynamic ? Optional.empty() : item);
    }

    private static Optional<String> item(String raw, boolean query) {
        return Optional.ofNullable(PathText.decode(raw, query)).filter(Names::isItem);
    }

    private static String name(String pair) {
        int equals = pair.indexOf('=');
        String raw = equals < 0 ? pair : pair.substring(0, equals);
        String name = PathText.decode(raw, true);
        return name == null ? raw : name;
    }

    private boolean isIgnored(String name) {
        return settings.ignored().stream()
                .anyMatch(
                        each ->
                                each.endsWith("*")
                                        ? name.startsWith(each.substring(0, each.length() - 1))
                                        : name.equals(each));
    }

    private static String host(String host) {
        String small = host.toLowerCase(Locale.ROOT);
        return small.endsWith(":80") ? small.substring(0, small.length() - 3) : small;
    }

    /** Percent-encoding only where it is needed, and in capital letters. */
    private static String plain(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int code =
                    c == '%' && i + 2 < text.length() && isHex(text, i + 1) && isHex(text, i + 2)
                            ? HexFormat.fromHexDigits(text, i + 1, i + 3)
                            : -1;
            if (code < 0) {
                plain.append(c);
            } else {
                boolean unreserved =
                        code < 0x80
                                && (Character.isLetterOrDigit(code)
                                        || UNRESERVED.indexOf(code) >= 0);
                plain.append(
                        unreserved
                                ? String.valueOf((char) code)
                                : text.substring(i, i + 3).toUpperCase(Locale.ROOT));
                i += 2;
            }
        }
        return plain.toString();
    }

    private static boolean isHex(String text, int at) {
        return HexFormat.isHexDigit(text.charAt(at));
    }

    /** Of a variant of a page: what its client said in the headers that matter. */
    static String variant(String hash, List<String> names, List<String> values) {
        return hash(hash + "\n" + String.join("\n", names) + "\n" + String.join("\n", values));
    }

    private static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
