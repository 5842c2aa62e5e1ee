package dev.millrace.hub.shop.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.hub.shop.visits.PopularItems;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What a shared cache may give to a second client, case by case as the public tests of HTTP caches
 * ask it: somebody gets a page, somebody else asks for the same one.
 */
class SharedCacheRulesTest {
    private static final String PAST = "Thu, 01 Jan 2015 00:00:00 GMT";
    private static final String FUTURE = "Tue, 01 Jan 2090 00:00:00 GMT";

    private static Shopfront shop;
    private static final Deque<String> ITEMS = new ArrayDeque<>();

    /** Which answer each target gives. */
    private static final Map<String, String[]> ANSWERS = new ConcurrentHashMap<>();

    @BeforeAll
    static void open() {
        SharedServers.flushAll();
        shop =
                Shopfront.open(
                        SharedServers.standalone().url(),
                        new Application(SharedCacheRulesTest::answer));
        String[] items = Shopfront.items((int) cases().count());
        PopularItems.seen(shop.hub.keyspace(), items);
        ITEMS.addAll(List.of(items));
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static boolean answer(Application.Asked asked, OutputStream out, Socket socket)
            throws Exception {
        String[] answer = ANSWERS.getOrDefault(asked.target(), new String[] {"404 Not Found"});
        String[] headers = java.util.Arrays.copyOfRange(answer, 1, answer.length);
        boolean bodiless = answer[0].startsWith("204") || answer[0].startsWith("304");
        Application.send(out, answer[0], bodiless ? "" : "page", headers);
        return true;
    }

    private enum Second {
        /** The second client gets what the first one got. */
        SHARED,
        /** The application is asked for each of them. */
        ASKED
    }

    private static Arguments row(
            Second second,
            List<String> first,
            List<String> other,
            String status,
            String... headers) {
        String[] answer = new String[headers.length + 1];
        answer[0] = status;
        System.arraycopy(headers, 0, answer, 1, headers.length);
        String name =
                second + " " + status + " " + List.of(headers) + " to " + first + ", " + other;
        return arguments(name, second, first, other, answer);
    }

    private static Arguments shared(String... headers) {
        return row(Second.SHARED, List.of(), List.of(), "200 OK", headers);
    }

    private static Arguments asked(String... headers) {
        return row(Second.ASKED, List.of(), List.of(), "200 OK", headers);
    }

    static Stream<Arguments> cases() {
        return Stream.of(
                // Lifetimes.
                shared(),
                shared("Cache-Control: max-age=60"),
                shared("Cache-Control: MaX-AgE=60"),
                shared("Cache-Control: max-age=\"60\""),
                shared("Cache-Control: max-age=60, a=b, c"),
                shared("Cache-Control: ext=\"a, no-store\", max-age=60"),
                shared("Cache-Control: max-age=99999999999"),
                shared("Cache-Control: max-age=00060"),
                shared("Cache-Control: max-age=0, s-maxage=60"),
                shared("Cache-Control: s-maxage=60", "Expires: " + PAST),
                shared("Cache-Control: max-age=60", "Expires: " + PAST),
                shared("Cache-Control: max-age=60", "Age: 10"),
                shared("Cache-Control: max-age=60", "Age: abc"),
                shared("Expires: " + FUTURE),
                shared("Expires: Tuesday, 01-Jan-69 00:00:00 GMT"),
                shared("Pragma: no-cache"),
                shared("Cache-Control: public"),
                asked("Cache-Control: max-age=0"),
                asked("Cache-Control: max-age=-1"),
                asked("Cache-Control: max-age=1.5"),
                asked("Cache-Control: max-age=abc"),
                asked("Cache-Control: max-age"),
                asked("Cache-Control: max-age=60, max-age=0"),
                asked("Cache-Control: max-age=60", "Cache-Control: max-age=0"),
                asked("Cache-Control: max-age=60, s-maxage=0"),
                asked("Cache-Control: max-age=60", "Age: 60"),
                asked("Cache-Control: max-age=60", "Age: 99999999999"),
                asked("Cache-Control: max-age=60", "Date: " + PAST),
                asked("Expires: 0"),
                asked("Expires: " + PAST),
                asked("Expires: never"),
                asked("Expires: " + FUTURE, "Expires: 0"),
                // What forbids it.
                asked("Cache-Control: no-store"),
                asked("Cache-Control: NO-STORE"),
                asked("Cache-Control: no-store, max-age=60"),
                asked("Cache-Control: max-age=60", "Cache-Control: no-store"),
                asked("Cache-Control: private"),
                asked("Cache-Control: private, max-age=60"),
                asked("Cache-Control: private=\"Set-Cookie\", max-age=60"),
                asked("Cache-Control: public, private"),
                asked("Cache-Control: no-cache, max-age=60"),
                asked("Cache-Control: no-cache=\"foo\", max-age=60"),
                asked("Set-Cookie: session=abc; Path=/"),
                asked("Set-Cookie: a=b", "Cache-Control: public, max-age=60"),
                asked("Vary: *"),
                asked("Vary: *, Accept", "Cache-Control: max-age=60"),
                asked("Vary: Accept", "Vary: *"),
                // Who understands what it means may keep it all the same.
                shared("Cache-Control: must-understand, no-store, max-age=60"),
                // Meant for us alone.
                shared("CDN-Cache-Control: max-age=60", "Cache-Control: no-store"),
                shared("CDN-Cache-Control: max-age=60", "Expires: " + PAST),
                asked("CDN-Cache-Control: no-store", "Cache-Control: max-age=60"),
                asked("CDN-Cache-Control: max-age=0", "Cache-Control: max-age=60"),
                // Other answers.
                row(Second.SHARED, List.of(), List.of(), "203 Elsewhere"),
                row(Second.SHARED, List.of(), List.of(), "301 Moved", "Location: /x"),
                row(Second.SHARED, List.of(), List.of(), "404 Not Found"),
                row(Second.SHARED, List.of(), List.of(), "410 Gone"),
                row(Second.ASKED, List.of(), List.of(), "302 Found", "Location: /x"),
                row(Second.ASKED, List.of(), List.of(), "204 No Content"),
                row(
                        Second.ASKED,
                        List.of(),
                        List.of(),
                        "206 Partial Content",
                        "Content-Range: bytes 0-3/10",
                        "Cache-Control: max-age=60"),
                row(
                        Second.ASKED,
                        List.of(),
                        List.of(),
                        "403 Forbidden",
                        "Cache-Control: max-age=60"),
                row(Second.ASKED, List.of(), List.of(), "500 Oh", "Cache-Control: max-age=60"),
                row(Second.ASKED, List.of(), List.of(), "503 Away", "Cache-Control: max-age=60"),
                row(Second.ASKED, List.of(), List.of(), "599 What", "Cache-Control: max-age=60"),
                // Requests that say who they are.
                of(Second.ASKED, "Authorization: Basic YTpi", "Cache-Control: max-age=60"),
                of(Second.ASKED, "Authorization: Basic YTpi"),
                of(Second.SHARED, "Authorization: Basic YTpi", "Cache-Control: public, max-age=60"),
                of(Second.SHARED, "Authorization: Basic YTpi", "Cache-Control: s-maxage=60"),
                of(
                        Second.SHARED,
                        "Authorization: Basic YTpi",
                        "Cache-Control: max-age=60, must-revalidate"),
                row(
                        Second.ASKED,
                        List.of(),
                        List.of("Authorization: Basic YTpi"),
                        "200 OK",
                        "Cache-Control: max-age=60"),
                of(Second.ASKED, "Cache-Control: no-store", "Cache-Control: max-age=60"),
                // Requests that want something special.
                second(Second.ASKED, "Cache-Control: no-cache"),
                second(Second.ASKED, "Cache-Control: min-fresh=100"),
                second(Second.ASKED, "Pragma: no-cache"),
                second(Second.SHARED, "Cache-Control: max-age=100"),
                second(Second.SHARED, "Cache-Control: only-if-cached"),
                second(Second.SHARED, "Cache-Control: max-stale=5"),
                second(Second.SHARED, "Cookie: theme=dark"),
                second(Second.SHARED, "Accept-Language: de"),
                second(Second.ASKED, "If-Match: \"x\""),
                second(Second.ASKED, "If-Unmodified-Since: " + PAST),
                second(Second.ASKED, "X-HTTP-Method-Override: DELETE"),
                // Variants.
                vary(Second.SHARED, "Accept-Language: de", "Accept-Language: de"),
                vary(Second.SHARED, "Accept-Language: de, en", "Accept-Language: de,en"),
                vary(Second.ASKED, "Accept-Language: de", "Accept-Language: en"),
                vary(Second.ASKED, "Accept-Language: de", "X-Nothing: 1"),
                vary(Second.SHARED, "Accept-Encoding: gzip, br", "Accept-Encoding: br, gzip"),
                vary(Second.ASKED, "Accept-Encoding: gzip", "Accept-Encoding: identity"),
                vary(Second.ASKED, "Accept-Encoding: gzip", "Accept-Encoding: gzip;q=0"),
                vary(Second.ASKED, "Cookie: a=1", "Cookie: a=2"));
    }

    private static Arguments of(Second second, String first, String... headers) {
        return row(second, List.of(first), List.of(), "200 OK", headers);
    }

    private static Arguments second(Second second, String wish) {
        return row(second, List.of(), List.of(wish), "200 OK", "Cache-Control: max-age=60");
    }

    private static Arguments vary(Second second, String first, String other) {
        return row(
                second,
                List.of(first),
                List.of(other),
                "200 OK",
                "Cache-Control: max-age=60",
                "Vary: Accept-Language, accept-encoding, COOKIE");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void a_second_client(
            String name, Second second, List<String> first, List<String> other, String[] answer) {
        String target = "/?item=" + ITEMS.pop();
        ANSWERS.put(target, answer);
        Visitor.Reply one = shop.visitor.get(target, first.toArray(String[]::new));
        assertThat(one.status()).isEqualTo(Integer.parseInt(answer[0].substring(0, 3)));
        Visitor.Reply two = shop.visitor.get(target, other.toArray(String[]::new));
        assertThat(two.status()).isEqualTo(one.status());
        assertThat(two.text()).isEqualTo(one.text());
        assertThat(two.hit()).as(two.cache()).isEqualTo(second == Second.SHARED);
        assertThat(shop.application.count(target)).isEqualTo(second == Second.SHARED ? 1 : 2);
        if (second == Second.SHARED) {
            assertThat(two.header("Set-Cookie")).isEmpty();
            assertThat(two.age()).isNotNegative();
        }
    }
}
