package dev.millrace.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Percent-encoding, with a fixed seed: whatever comes in is text, or refused. */
class PathTextTest {
    private static final int ROUNDS = 20_000;
    private static final String PARTS =
            "%%%%/.+&=?#0123456789abcdefABCDEF \u0000\u007f\u00c3\u00a4\u00ff\u0100\uff11";

    private final Random random = new Random(42);

    private String anything() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(PARTS.charAt(random.nextInt(PARTS.length())));
        }
        return text.toString();
    }

    private String words() {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            int c = random.nextInt(0x11000);
            text.appendCodePoint(
                    Character.isDefined(c) && !Character.isSurrogate((char) c) ? c : 'x');
        }
        return text.toString();
    }

    @Test
    void what_was_encoded_comes_back_and_is_decoded_once() {
        for (int i = 0; i < ROUNDS; i++) {
            String text = words();
            String once = URLEncoder.encode(text, StandardCharsets.UTF_8);
            assertThat(PathText.decode(once, true)).isEqualTo(text);
            String twice = URLEncoder.encode(once, StandardCharsets.UTF_8);
            assertThat(PathText.decode(twice, true)).isEqualTo(once);
            assertThat(PathText.decode(once.replace("+", "%20"), false)).isEqualTo(text);
        }
    }

    @Test
    void anything_is_text_or_refused_and_never_an_accident() {
        for (int i = 0; i < ROUNDS; i++) {
            String raw = anything();
            for (boolean query : List.of(true, false)) {
                String text = PathText.decode(raw, query);
                if (text != null) {
                    assertThat(
                                    new String(
                                            text.getBytes(StandardCharsets.UTF_8),
                                            StandardCharsets.UTF_8))
                            .isEqualTo(text);
                    assertThat(raw).doesNotContain(" ", "\0", "\u007f", "\u0100", "\uff11");
                }
            }
        }
    }

    @Test
    void a_query_is_taken_apart_or_refused_with_a_problem() {
        for (int i = 0; i < ROUNDS; i++) {
            Map<String, List<String>> into = new LinkedHashMap<>();
            try {
                QueryText.parse(anything(), into);
            } catch (Problem problem) {
                assertThat(problem.code()).isEqualTo(Code.BAD_PARAMETER);
            }
        }
    }

    @Test
    void the_table_finds_something_or_nothing_for_any_path() {
        RouteTable table =
                new RouteTable(
                        List.of(
                                route("/"),
                                route("/a/{x}/b"),
                                route("/a/{x:digits}/{y:any}"),
                                route("/a/b/{z}")),
                        new Owners(Owner.own("test")).below(Owner.own("a"), "/a"));
        List<String> paths =
                new ArrayList<>(List.of("", "/", "//", "/a", "/a/", "x", "/".repeat(9999)));
        for (int i = 0; i < ROUNDS; i++) {
            paths.add("/" + anything().replace('%', '/'));
        }
        for (String path : paths) {
            assertThat(table.find(Method.GET, path)).isNotNull();
            assertThat(table.find(null, path)).isNotNull();
            assertThat(table.owner(path)).isNotNull();
        }
    }

    private static Route route(String path) {
        return Route.get(path).forAnyone().about("Test.").by(request -> Answer.empty(204));
    }
}
