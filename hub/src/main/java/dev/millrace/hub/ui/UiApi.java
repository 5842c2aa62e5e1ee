package dev.millrace.hub.ui;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pages and what they load. Every file that can be had is named here; there is no directory to
 * walk out of.
 *
 * <p>The modules of lit import each other by bare names, which a browser resolves by an import map.
 * That has to stand in the page itself, so its hash is the one inline script that the page's policy
 * allows.
 */
public final class UiApi {
    private static final String FOR_EVER = "public, max-age=31536000, immutable";
    private static final String ASK_FIRST = "no-cache";
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">([^<]*)</script>");

    private static final Webjar LIT = Webjar.of("org.webjars.npm", "lit", "index.js");
    private static final Webjar LIT_HTML =
            Webjar.of(
                    "org.webjars.npm",
                    "lit-html",
                    "lit-html.js",
                    "is-server.js",
                    "directive.js",
                    "directive-helpers.js",
                    "directives/repeat.js");
    private static final Webjar LIT_ELEMENT =
            Webjar.of("org.webjars.npm", "lit-element", "lit-element.js");
    private static final Webjar REACTIVE =
            Webjar.of(
                    "org.webjars.npm",
                    "lit__reactive-element",
                    "reactive-element.js",
                    "css-tag.js");
    private static final Webjar ECHARTS = Webjar.of("org.webjars", "echarts", "echarts.esm.min.js");
    private static final Webjar SWAGGER =
            Webjar.of("org.webjars", "swagger-ui", "swagger-ui.css", "swagger-ui-bundle.js");

    private final Map<String, Webjar> libraries = new LinkedHashMap<>();
    private final Map<String, Page> files = new LinkedHashMap<>();
    private final Page index;
    private final Page alarms;
    private final Page values;
    private final Page bus;
    private final Page shop;
    private final Page models;
    private final Page rules;
    private final Page history;
    private final Page why;
    private final Page docs;

    /**
     * A file of our own.
     *
     * @param tag of its version
     * @param policy what the page may load; empty for what is not a page
     */
    private record Page(String type, byte[] bytes, String tag, String policy) {}

    /**
     * The pages.
     *
     * @param asksForToken whether a page has to ask for a token before it asks for anything else
     */
    public UiApi(boolean asksForToken) {
        for (Webjar each : List.of(LIT, LIT_HTML, LIT_ELEMENT, REACTIVE, ECHARTS, SWAGGER)) {
            libraries.put(each.name(), each);
        }
        for (String name :
                List.of(
                        "page.css",
                        "plant.css",
                        "page.js",
                        "shell.js",
                        "chart.js",
                        "chore.js",
                        "api.js",
                        "ems.js",
                        "live.js",
                        "liveness.js",
                        "hint.js",
                        "health.js",
                        "rates.js",
                        "memory.js",
                        "catalogue.js",
                        "fsck.js",
                        "alarms.js",
                        "alarm-book.js",
                        "alarm-row.js",
                        "alarm-details.js",
                        "alarm-shelve.js",
                        "alarm-events.js",
                        "inbox.js",
                        "channel-page.js",
                        "values.js",
                        "bus.js",
                        "orders.js",
                        "confirm.js",
                        "spark.js",
                        "channels.js",
                        "points.js",
                        "point-book.js",
                        "models.js",
                        "rules.js",
                        "rule-editor.js",
                        "rule-runs.js",
                        "rule-rehearsal.js",
                        "flow-picture.js",
                        "history.js",
                        "history-span.js",
                        "shop.js",
                        "why.js",
                        "docs.css",
                        "docs.js",
                        "icon.svg")) {
            files.put(name, page(name, Files.read(name)));
        }
        index =
                html(
                        "page.html",
                        asksForToken,
                        "Millrace",
                        "mr-page",
                        "<code>./millrace doctor</code>, <code>memory</code>, <code>fsck</code> and"
                                + " <code>catalogue</code>");
        alarms =
                html(
                        "page.html",
                        asksForToken,
                        "Alarms – Millrace",
                        "mr-alarms",
                        "<code>curl /api/alarms</code>");
        values =
                html(
                        "page.html",
                        asksForToken,
                        "Values – Millrace",
                        "mr-values",
                        "<code>curl /api/channels</code>");
        bus =
                html(
                        "page.html",
                        asksForToken,
                        "Channels – Millrace",
                        "mr-bus",
                        "<code>curl /api/channels</code>");
        models =
                html(
                        "page.html",
                        asksForToken,
                        "Models – Millrace",
                        "mr-models",
                        "<code>curl /api/models</code>");
        rules =
                html(
                        "page.html",
                        asksForToken,
                        "Rules – Millrace",
                        "mr-rules",
                        "<code>curl /api/rules</code>");
        history =
                html(
                        "page.html",
                        asksForToken,
                        "History – Millrace",
                        "mr-history",
                        "<code>curl /api/history/comsrv/1/101</code>");
        shop =
                html(
                        "page.html",
                        asksForToken,
                        "Shop – Millrace",
                        "mr-shop",
                        "<code>curl /shop/stats</code>");
        why =
                html(
                        "page.html",
                        asksForToken,
                        "Why? – Millrace",
                        "mr-why",
                        "<code>curl /api/why/ID</code>");
        docs = html("docs.html", asksForToken, "", "", "");
    }

    /** Where the files of Swagger UI are, for pages of rooms. */
    public static String swagger() {
        return SWAGGER.path("");
    }

    private static Page page(String name, byte[] bytes) {
        return new Page(Files.type(name), bytes, "\"%s\"".formatted(Files.sha256(bytes)), "");
    }

    /**
     * A page.
     *
     * @param element what it consists of; the script that brings it is called like it
     * @param instead what to use without JavaScript, as HTML
     */
    private static Page html(
            String name, boolean asksForToken, String title, String element, String instead) {
        String text =
                new String(Files.read(name), StandardCharsets.UTF_8)
                        .replace("{{imports}}", imports())
                        .replace("{{access}}", asksForToken ? "token" : "open")
                        .replace("{{title}}", title)
                        .replace("{{element}}", element)
                        .replace("{{script}}", element.replaceFirst("^mr-", "") + ".js")
                        .replace("{{instead}}", instead)
                        .replace("{{swagger}}", SWAGGER.path(""));
        Matcher map = IMPORT_MAP.matcher(text);
        String inline =
                map.find()
                        ? " 'sha256-%s'"
                                .formatted(
                                        Files.sha256(map.group(1).getBytes(StandardCharsets.UTF_8)))
                        : "";
        Page page = page(name, text.getBytes(StandardCharsets.UTF_8));
        return new Page(
                page.type,
                page.bytes,
                page.tag,
                "default-src 'self'; script-src 'self'"
                        + inline
                        + "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src"
                        + " 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }

    private static String imports() {
        Map<String, String> imports = new LinkedHashMap<>();
        imports.put("lit", LIT.path("index.js"));
        imports.put("lit-html", LIT_HTML.path("lit-html.js"));
        imports.put("lit-html/is-server.js", LIT_HTML.path("is-server.js"));
        imports.put("lit-html/directives/repeat.js", LIT_HTML.path("directives/repeat.js"));
        imports.put("lit-element/lit-element.js", LIT_ELEMENT.path("lit-element.js"));
        imports.put("@lit/reactive-element", REACTIVE.path("reactive-element.js"));
        imports.put("echarts", ECHARTS.path("echarts.esm.min.js"));
        return Json.MAPPER.writeValueAsString(Map.of("imports", imports));
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/")
                        .forAnyone()
                        .about("The page: health, rates, memory and keys.")
                        .givesType("text/html")
                        .by(request -> answer(request, index)),
                Route.get("/ui")
                        .forAnyone()
                        .about("The same page.")
                        .givesType("text/html")
                        .by(request -> answer(request, index)),
                Route.get("/ui/alarms")
                        .forAnyone()
                        .about("The page of alarms: what is wrong, and who takes care of it.")
                        .givesType("text/html")
                        .by(request -> answer(request, alarms)),
                Route.get("/ui/values")
                        .forAnyone()
                        .about("The page of values: device channels and their points, live.")
                        .givesType("text/html")
                        .by(request -> answer(request, values)),
                Route.get("/ui/channels")
                        .forAnyone()
                        .about("The page of channels: how devices are doing, and orders to them.")
                        .givesType("text/html")
                        .by(request -> answer(request, bus)),
                Route.get("/ui/models")
                        .forAnyone()
                        .about(
                                "The page of models: what they measure, how they are, their"
                                        + " actions.")
                        .givesType("text/html")
                        .by(request -> answer(request, models)),
                Route.get("/ui/rules")
                        .forAnyone()
                        .about("The page of rules: their runs, and what they would have done.")
                        .givesType("text/html")
                        .by(request -> answer(request, rules)),
                Route.get("/ui/history")
                        .forAnyone()
                        .about("The page of history: any series over any time.")
                        .givesType("text/html")
                        .by(request -> answer(request, history)),
                Route.get("/ui/shop")
                        .forAnyone()
                        .about("The page of a shop: sessions, popular items, carts, cached rows.")
                        .givesType("text/html")
                        .by(request -> answer(request, shop)),
                Route.get("/ui/why/{id}")
                        .forAnyone()
                        .about("The page of a chain: what led to something, and what came of it.")
                        .givesType("text/html")
                        .by(request -> answer(request, why)),
                Route.get("/ui/{file}")
                        .forAnyone()
                        .about("A file of the page.")
                        .givesType("text/plain")
                        .by(this::file),
                Route.get("/ui/lib/{library}/{version}/{file}")
                        .forAnyone()
                        .about("A file of a library that the page uses.")
                        .givesType("text/plain")
                        .by(request -> library(request, request.variable("file"))),
                // The modules of a library name each other by their places in it.
                Route.get("/ui/lib/{library}/{version}/{folder}/{file}")
                        .forAnyone()
                        .about("The same, where the library has folders.")
                        .givesType("text/plain")
                        .by(
                                request ->
                                        library(
                                                request,
                                                request.variable("folder")
                                                        + "/"
                                                        + request.variable("file"))),
                Route.get("/docs")
                        .forAnyone()
                        .about("The description of the API, for people.")
                        .givesType("text/html")
                        .by(request -> answer(request, docs)),
                Route.get("/docs/")
                        .forAnyone()
                        .about("The same page.")
                        .givesType("text/html")
                        .by(request -> answer(request, docs)));
    }

    private Answer file(Request request) {
        Page page = files.get(request.variable("file"));
        if (page == null) {
            throw Problem.of(Code.NOT_FOUND);
        }
        return answer(request, page);
    }

    private static Answer answer(Request request, Page page) {
        Answer answer =
                known(request, page.tag)
                        ? Answer.empty(304)
                        : Answer.bytes(200, page.type, page.bytes);
        answer = answer.with("ETag", "W/" + page.tag).with("Cache-Control", ASK_FIRST);
        return page.policy.isEmpty() ? answer : answer.with("Content-Security-Policy", page.policy);
    }

    private Answer library(Request request, String file) {
        Webjar library = libraries.get(request.variable("library"));
        Optional<byte[]> bytes =
                library == null
                        ? Optional.empty()
                        : library.read(request.variable("version"), file);
        if (bytes.isEmpty()) {
            throw Problem.of(Code.NOT_FOUND);
        }
        String tag = "\"%s\"".formatted(request.variable("version"));
        Answer answer =
                known(request, tag)
                        ? Answer.empty(304)
                        : Answer.bytes(200, Files.type(file), bytes.get());
        return answer.with("ETag", "W/" + tag).with("Cache-Control", FOR_EVER);
    }

    private static boolean known(Request request, String tag) {
        return request.header("If-None-Match").filter(tags -> tags.contains(tag)).isPresent();
    }
}
