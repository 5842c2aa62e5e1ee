package dev.millrace.hub.documents;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.ui.UiApi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The description of this room under the paths and the names of schemas that clients know it by, as
 * JSON and as two pages. Everything they load is on board.
 */
final class DocPagesApi {
    private static final String POLICY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    private static final Map<String, String> TYPES =
            Map.of("js", "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8");

    private final String name;
    private final byte[] description;
    private final byte[] doc;
    private final byte[] redoc;

    DocPagesApi(DocumentsSettings settings, String version) {
        name = settings.name();
        description = filled("openapi.json", Map.of("{{name}}", name, "{{version}}", version));
        doc = filled("doc.html", Map.of("{{swagger}}", UiApi.swagger()));
        redoc = filled("redoc.html", Map.of());
    }

    List<Route> routes() {
        return List.of(
                Route.get("/" + name + "/openapi.json")
                        .forAnyone()
                        .about("The description of the documents' API.")
                        .by(request -> Answer.bytes(200, "application/json", description)),
                Route.get("/" + name + "/api/doc")
                        .forAnyone()
                        .about("The same for people, to try it out.")
                        .givesType("text/html")
                        .by(request -> page(doc)),
                Route.get("/" + name + "/api/redoc")
                        .forAnyone()
                        .about("The same for people, to read.")
                        .givesType("text/html")
                        .by(request -> page(redoc)),
                Route.get("/" + name + "/api/{file}")
                        .forAnyone()
                        .about("A file of these pages.")
                        .givesType("text/plain")
                        .by(DocPagesApi::file));
    }

    private static Answer page(byte[] html) {
        return Answer.bytes(200, "text/html; charset=utf-8", html)
                .with("Content-Security-Policy", POLICY);
    }

    private static Answer file(Request request) {
        String file = request.variable("file");
        if (!List.of("doc.js", "redoc.js", "redoc.css").contains(file)) {
            throw Problem.of(Code.NOT_FOUND);
        }
        String type = TYPES.getOrDefault(file.substring(file.indexOf('.') + 1), "text/plain");
        return Answer.bytes(200, type, filled(file, Map.of()));
    }

    private static byte[] filled(String file, Map<String, String> words) {
        try (InputStream in = DocPagesApi.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("The file %s is missing.".formatted(file));
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (Map.Entry<String, String> word : words.entrySet()) {
                text = text.replace(word.getKey(), word.getValue());
            }
            return text.getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
