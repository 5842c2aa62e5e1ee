package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class TalkTest {
    @Test
    void a_client_that_leaves_while_its_talk_begins_is_no_mistake_of_ours() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        CountDownLatch gone = new CountDownLatch(1);
        Route route =
                Route.get("/talk")
                        .needs(Role.VIEWER, "test")
                        .about("Talks to somebody who has left.")
                        .talkingBy(
                                (request, talk) -> {
                                    worker.complete(Thread.currentThread());
                                    talk.whileThere(() -> {}, gone::countDown);
                                    gone.await();
                                    talk.whenHeard(text -> {});
                                });
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Handling.class);
        logger.addAppender(lines);
        try (TestWeb web = TestWeb.with(List.of(route));
                HttpClient client = HttpClient.newHttpClient()) {
            client.newWebSocketBuilder()
                    .buildAsync(
                            URI.create(web.server().url().replace("http:", "ws:") + "/talk"),
                            new WebSocket.Listener() {})
                    .get()
                    .abort();
            worker.get().join();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list).isEmpty();
    }

    @Test
    void a_message_may_come_in_parts_of_which_some_are_empty() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        Route route =
                Route.get("/talk")
                        .needs(Role.VIEWER, "test")
                        .about("Hears something.")
                        .talkingBy((request, talk) -> talk.whenHeard(heard::complete));
        try (TestWeb web = TestWeb.with(List.of(route));
                HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(
                                            web.server().url().replace("http:", "ws:") + "/talk"),
                                    new WebSocket.Listener() {})
                            .get();
            socket.sendText("", false).get();
            socket.sendText("half ", false).get();
            socket.sendText("", false).get();
            socket.sendText("whole", true).get();
            assertThat(heard.get(60, TimeUnit.SECONDS)).isEqualTo("half whole");
            socket.abort();
        }
    }
}
