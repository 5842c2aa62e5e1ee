package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;

/** A list that is written at once begins with its first piece; a short one is one piece. */
final class StreamedAtOnceTest {
    private static Answer.Writer letters(int count, boolean fails) {
        return out -> {
            for (int i = 0; i < count; i++) {
                out.write('a' + i % 26);
            }
            if (fails) {
                throw Problem.of(Code.CONFLICT);
            }
        };
    }

    private static Route route(String path, Answer.Writer writer) {
        return Route.get(path)
                .needs(Role.VIEWER, "test")
                .about("Letters.")
                .by(request -> Answer.streamedAtOnce("text/plain", writer));
    }

    private final TestWeb web =
            TestWeb.with(
                    List.of(
                            route("/0", letters(0, false)),
                            route("/2000", letters(2000, false)),
                            route("/32768", letters(32768, false)),
                            route("/32769", letters(32769, false)),
                            route("/200000", letters(200_000, false)),
                            route("/fails-soon", letters(2000, true)),
                            route("/fails-late", letters(200_000, true))));

    @AfterEach
    void close() {
        web.awaitQuiet();
        web.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2000, 32768, 32769, 200_000})
    void however_long_it_is_it_comes_whole(int length) {
        HttpResponse<String> answer = web.get("/" + length, "Accept-Encoding", "gzip");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).hasSize(length);
        assertThat(answer.headers().firstValue("content-encoding")).isEmpty();
        assertThat(answer.headers().firstValue("content-length").isPresent())
                .isEqualTo(length <= 32768);
    }

    @Test
    void a_head_is_answered_without_a_body() throws IOException {
        String answer =
                web.raw("HEAD /2000 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
    }

    @Test
    void one_that_fails_within_its_first_piece_is_an_error_like_any_other() {
        HttpResponse<String> answer = web.get("/fails-soon");
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).doesNotContain("abcdef");
    }

    @Test
    void one_that_fails_later_is_cut() throws IOException {
        String answer = web.raw("GET /fails-late HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        assertThat(answer.toLowerCase(Locale.ROOT)).contains("transfer-encoding: chunked");
        assertThat(answer).startsWith("HTTP/1.1 200 ").doesNotEndWith("0\r\n\r\n");
    }
}
