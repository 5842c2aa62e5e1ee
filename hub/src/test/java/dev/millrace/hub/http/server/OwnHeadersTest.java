package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** The hub's own headers are shared by all answers; what one answer adds is not. */
class OwnHeadersTest {
    private final AtomicReference<Thread> asked = new AtomicReference<>();

    private final TestWeb web =
            TestWeb.with(
                    List.of(
                            route("/plain").by(request -> Answer.empty(204)),
                            route("/prompt")
                                    .promptlyBy(
                                            request -> {
                                                asked.set(Thread.currentThread());
                                                return CompletableFuture.completedFuture(
                                                        Answer.empty(204));
                                            }),
                            route("/kept")
                                    .by(
                                            request ->
                                                    Answer.empty(204)
                                                            .with("Cache-Control", "max-age=60")
                                                            .with("X-Frame-Options", "SAMEORIGIN")
                                                            .with("X-Extra", "yes"))));

    private static Route.Draft route(String path) {
        return Route.get(path).needs(Role.VIEWER, "test").about("A route of this test.");
    }

    @AfterEach
    void stop() {
        web.close();
    }

    private static List<String> all(HttpResponse<String> response, String name) {
        return response.headers().allValues(name);
    }

    @Test
    void every_answer_has_them_once_and_an_id_of_its_own() {
        HttpResponse<String> first = web.get("/plain");
        HttpResponse<String> second = web.get("/prompt");
        for (HttpResponse<String> each : List.of(first, second)) {
            assertThat(all(each, "X-Request-ID")).hasSize(1);
            assertThat(all(each, "X-Content-Type-Options")).containsExactly("nosniff");
            assertThat(all(each, "X-Frame-Options")).containsExactly("DENY");
            assertThat(all(each, "Referrer-Policy")).containsExactly("no-referrer");
            assertThat(all(each, "Content-Security-Policy")).hasSize(1);
            assertThat(all(each, "Cache-Control")).containsExactly("no-store");
        }
        assertThat(all(first, "X-Request-ID")).isNotEqualTo(all(second, "X-Request-ID"));
    }

    @Test
    void what_one_answer_says_instead_the_next_one_does_not() {
        HttpResponse<String> kept = web.get("/kept");
        assertThat(all(kept, "Cache-Control")).containsExactly("max-age=60");
        assertThat(all(kept, "X-Frame-Options")).containsExactly("SAMEORIGIN");
        assertThat(all(kept, "X-Extra")).containsExactly("yes");
        HttpResponse<String> plain = web.get("/plain");
        assertThat(all(plain, "Cache-Control")).containsExactly("no-store");
        assertThat(all(plain, "X-Frame-Options")).containsExactly("DENY");
        assertThat(all(plain, "X-Extra")).isEmpty();
    }

    @Test
    void a_prompt_handler_is_asked_on_an_event_loop() {
        assertThat(web.get("/prompt").statusCode()).isEqualTo(204);
        assertThat(asked.get()).isNotNull().matches(thread -> !thread.isVirtual());
    }
}
