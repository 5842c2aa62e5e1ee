package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/** Whoever asks for whatever cannot fill the memory with figures about it. */
class StrangersFiguresTest {
    private static void strange(TestWeb web, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            web.send("BREW" + i, "/nothing/" + i, "");
            web.send("BREW" + i, "/hello?x=" + i, "");
            web.get("/things/" + i);
            web.raw("BREW" + i + "\r\n\r\n");
        }
        web.awaitQuiet();
    }

    @Test
    void a_stranger_makes_no_new_figures() throws IOException {
        try (TestWeb web =
                TestWeb.with(
                        List.of(
                                Route.get("/hello")
                                        .needs(Role.VIEWER, "test")
                                        .about("Greets.")
                                        .by(request -> Answer.text(200, "hello")),
                                Route.get("/things/{id}")
                                        .needs(Role.VIEWER, "test")
                                        .about("One thing.")
                                        .by(
                                                request ->
                                                        Answer.text(
                                                                200, request.variable("id")))))) {
            strange(web, 0, 50);
            int before = web.registry().getMeters().size();
            strange(web, 50, 100);
            // A figure of the first fifty may come late, but not one for each of these.
            assertThat(web.registry().getMeters().size()).isLessThan(before + 50);
            assertThat(web.registry().getMeters())
                    .noneMatch(meter -> meter.getId().toString().contains("BREW"));
        }
    }
}
