package dev.millrace.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;

import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A real servlet container, twice, with sessions at a real hub. */
class MillraceSessionFilterTest {
    private static RunningHub hub;
    private static Tomcat first;
    private static Tomcat second;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException, LifecycleException {
        hub = RunningHub.start(directory);
        first = tomcat(directory.resolve("one"), hub.url);
        second = tomcat(directory.resolve("two"), hub.url);
    }

    @AfterAll
    static void stop() throws LifecycleException {
        first.stop();
        second.stop();
        hub.close();
    }

    private static Tomcat tomcat(Path directory, String hubUrl) throws LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        Context context = tomcat.addContext("", null);
        FilterDef filter = new FilterDef();
        filter.setFilterName("session");
        filter.setFilterClass(MillraceSessionFilter.class.getName());
        filter.addInitParameter("hub", hubUrl);
        filter.addInitParameter("max-inactive", "600");
        filter.setAsyncSupported("true");
        context.addFilterDef(filter);
        FilterMap all = new FilterMap();
        all.setFilterName("session");
        all.addURLPattern("/*");
        context.addFilterMap(all);
        Tomcat.addServlet(context, "shop", new Shop());
        context.addServletMappingDecoded("/*", "shop");
        tomcat.start();
        return tomcat;
    }

    /** What applications do with sessions, one thing for each path. */
    private static final class Shop extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            String name = request.getParameter("name");
            switch (request.getPathInfo()) {
                case "/none" -> response.getWriter().print(request.getSession(false) == null);
                case "/set" -> {
                    request.getSession().setAttribute(name, request.getParameter("value"));
                    response.getWriter().print("set");
                }
                case "/set-large" -> {
                    // More than the container keeps back: the answer begins in the middle.
                    request.getSession().setAttribute(name, request.getParameter("value"));
                    response.getWriter().print("x".repeat(100_000));
                    response.flushBuffer();
                }
                case "/get" -> {
                    HttpSession session = request.getSession(false);
                    response.getWriter()
                            .print(session == null ? "none" : session.getAttribute(name));
                }
                case "/remove" -> request.getSession().removeAttribute(name);
                case "/kinds" -> {
                    HttpSession session = request.getSession();
                    session.setAttribute("long", 1L << 40);
                    session.setAttribute("int", 7);
                    session.setAttribute("double", 1.5);
                    session.setAttribute("yes", true);
                    session.setAttribute("list", new ArrayList<>(List.of("a", 1)));
                }
                case "/kinds-are" -> {
                    HttpSession session = request.getSession();
                    response.getWriter()
                            .print(
                                    List.of(
                                            session.getAttribute("long").equals(1L << 40),
                                            session.getAttribute("int").equals(7),
                                            session.getAttribute("double").equals(1.5),
                                            session.getAttribute("yes").equals(true),
                                            session.getAttribute("list").equals(List.of("a", 1))));
                }
                case "/append" -> {
                    @SuppressWarnings("unchecked")
                    List<Object> list = (List<Object>) request.getSession().getAttribute("list");
                    list.add("b");
                }
                case "/foreign" -> {
                    try {
                        request.getSession().setAttribute("it", new Object());
                    } catch (IllegalArgumentException e) {
                        response.getWriter().print("refused");
                    }
                }
                case "/login" -> {
                    request.getSession().setAttribute(MillraceSessionFilter.USER, name);
                    response.getWriter().print(request.changeSessionId());
                }
                case "/logout" -> request.getSession().invalidate();
                case "/facts" -> {
                    HttpSession session = request.getSession();
                    response.getWriter()
                            .print(
                                    session.isNew()
                                            + " "
                                            + session.getMaxInactiveInterval()
                                            + " "
                                            + (session.getCreationTime() > 0)
                                            + " "
                                            + request.isRequestedSessionIdValid());
                }
                case "/redirect" -> {
                    request.getSession().setAttribute(name, request.getParameter("value"));
                    response.sendRedirect("/none");
                }
                case "/see-other" -> {
                    request.getSession().setAttribute(name, request.getParameter("value"));
                    response.sendRedirect("/none", 303);
                }
                default -> response.sendError(404);
            }
        }
    }

    private static HttpResponse<String> get(Tomcat tomcat, String path, String cookie) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                        URI.create(
                                "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("Set-Cookie").orElse("").split(";", 2)[0];
    }

    private static JsonNode kept(String cookie) {
        String token = cookie.substring(cookie.indexOf('=') + 1);
        try {
            return Values.MAPPER.readTree(
                    CLIENT.send(
                                    HttpRequest.newBuilder(
                                                    URI.create(hub.url + "/shop/sessions/" + token))
                                            .build(),
                                    BodyHandlers.ofString())
                            .body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void who_needs_no_session_gets_none() {
        HttpResponse<String> response = get(first, "/none", "");
        assertThat(response.body()).isEqualTo("true");
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void two_processes_have_one_session() {
        HttpResponse<String> set = get(first, "/set?name=theme&value=dark", "");
        assertThat(set.headers().firstValue("Set-Cookie").orElse(""))
                .contains("HttpOnly")
                .contains("SameSite=Lax")
                .doesNotContain("Secure");
        String cookie = cookie(set);
        assertThat(get(second, "/get?name=theme", cookie).body()).isEqualTo("dark");
        assertThat(kept(cookie).get("attributes").get("theme").asString()).isEqualTo("dark");
        get(second, "/remove?name=theme", cookie);
        assertThat(get(first, "/get?name=theme", cookie).body()).isEqualTo("null");
        assertThat(kept(cookie).get("attributes").has("theme")).isFalse();
    }

    @Test
    void what_is_set_is_there_before_the_answer_is() {
        String cookie = cookie(get(first, "/set?name=a&value=1", ""));
        for (int i = 0; i < 20; i++) {
            get(first, "/set-large?name=a&value=" + i, cookie);
            assertThat(get(second, "/get?name=a", cookie).body()).isEqualTo(String.valueOf(i));
            get(first, "/redirect?name=a&value=r" + i, cookie);
            assertThat(get(second, "/get?name=a", cookie).body()).isEqualTo("r" + i);
            get(first, "/see-other?name=a&value=s" + i, cookie);
            assertThat(get(second, "/get?name=a", cookie).body()).isEqualTo("s" + i);
        }
    }

    @Test
    void values_come_back_as_what_they_were() {
        String cookie = cookie(get(first, "/kinds", ""));
        assertThat(get(second, "/kinds-are", cookie).body())
                .isEqualTo("[true, true, true, true, true]");
        get(second, "/append", cookie);
        assertThat(get(first, "/get?name=list", cookie).body()).isEqualTo("[a, 1, b]");
        assertThat(get(first, "/foreign", cookie).body()).isEqualTo("refused");
    }

    @Test
    void a_login_gives_it_a_new_token_and_a_user() {
        String before = cookie(get(first, "/set?name=a&value=1", ""));
        HttpResponse<String> login = get(first, "/login?name=ada", before);
        String after = cookie(login);
        assertThat(after).isNotEqualTo(before).isEqualTo("session=" + login.body());
        assertThat(get(second, "/get?name=a", after).body()).isEqualTo("1");
        assertThat(get(second, "/get?name=a", before).body()).isEqualTo("none");
        assertThat(kept(after).get("user").asString()).isEqualTo("ada");
        assertThat(get(second, "/get?name=" + MillraceSessionFilter.USER, after).body())
                .isEqualTo("ada");
    }

    @Test
    void who_logs_out_is_out_everywhere() {
        String cookie = cookie(get(first, "/set?name=a&value=1", ""));
        get(first, "/logout", cookie);
        assertThat(get(second, "/get?name=a", cookie).body()).isEqualTo("none");
    }

    @Test
    void it_says_what_it_is() {
        HttpResponse<String> fresh = get(first, "/facts", "");
        assertThat(fresh.body()).isEqualTo("true 600 true false");
        assertThat(get(first, "/facts", cookie(fresh)).body()).isEqualTo("false 600 true true");
    }

    @Test
    void a_token_that_somebody_made_up_is_not_taken_over() {
        for (String invented :
                List.of("session=AAAAAAAAAAAAAAAAAAAAAAAA", "session=short", "session=../../x")) {
            HttpResponse<String> response = get(first, "/set?name=a&value=1", invented);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(cookie(response)).startsWith("session=").isNotEqualTo(invented);
        }
    }

    @Test
    void without_a_hub_only_those_who_need_a_session_are_refused(@TempDir Path directory)
            throws LifecycleException {
        Tomcat alone = tomcat(directory, "http://127.0.0.1:1");
        try {
            assertThat(get(alone, "/none", "").statusCode()).isEqualTo(200);
            assertThat(get(alone, "/set?name=a&value=1", "").statusCode()).isEqualTo(503);
        } finally {
            alone.stop();
        }
    }

    @Test
    void only_classes_that_are_allowed_are_read_back() {
        Values narrow = new Values(Values.STANDARD_CLASSES);
        JsonNode kept = narrow.write(new Mine("x"));
        assertThat(new Values("dev.millrace.session.*;java.base/*;!*").read(kept))
                .isEqualTo(new Mine("x"));
        Optional<String> why = Optional.empty();
        try {
            Object read = narrow.read(kept);
            assertThat(read).isNull();
        } catch (IllegalStateException e) {
            why = Optional.ofNullable(e.getMessage());
        }
        assertThat(why.orElse("")).contains("classes");
        assertThat(narrow.read(Values.MAPPER.readTree("{\"a\":[1]}")))
                .isEqualTo(Map.of("a", List.of(1)));
    }

    private record Mine(String text) implements java.io.Serializable {}
}
