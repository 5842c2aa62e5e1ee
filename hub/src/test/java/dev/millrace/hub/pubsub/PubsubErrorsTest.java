package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;

class PubsubErrorsTest {
    private static final PubsubErrors ERRORS = new PubsubErrors("/p");

    private static String body(Answer answer) {
        return switch (answer.body()) {
            case Answer.Body.None none -> "";
            case Answer.Body.Whole(byte[] bytes) -> new String(bytes, StandardCharsets.UTF_8);
            case Answer.Body.Streamed streamed -> "streamed";
        };
    }

    @Test
    void our_own_failure_is_500_and_nothing_else() {
        Answer answer = ERRORS.of(Problem.of(Code.INTERNAL), "/p/channel/c", "id");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.headers()).isEmpty();
        assertThat(body(answer)).isEmpty();
    }

    @Test
    void a_path_or_method_that_is_not_there_is_told_in_text() {
        assertThat(body(ERRORS.of(Problem.of(Code.NOT_FOUND), "/p/channel", "id")))
                .isEqualTo("404 page not found");
        assertThat(body(ERRORS.of(Problem.of(Code.METHOD_NOT_ALLOWED), "/p/channel", "id")))
                .isEqualTo("405 method not allowed");
    }

    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"UNAVAILABLE", "STOPPING", "INTERNAL", "OVERLOADED", "TIME_OUT"})
    void a_probe_fails_with_500(Code code) {
        Answer answer = ERRORS.of(Problem.of(code), "/p/probe/readiness", "id");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(body(answer)).isEqualTo("{\"storage\":{}}\n");
    }

    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"UNAVAILABLE", "STOPPING", "TOO_LARGE", "OVERLOADED", "BAD_PATH", "TOO_SLOW"})
    void everything_else_is_an_object_with_the_sentence(Code code) {
        Answer answer = ERRORS.of(Problem.of(code), "/p/channel/c", "id");
        assertThat(answer.status()).isEqualTo(code.status());
        assertThat(body(answer)).isEqualTo("{\"error\":\"%s\"}\n".formatted(code.sentence()));
    }
}
