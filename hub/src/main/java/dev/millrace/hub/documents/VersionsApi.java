package dev.millrace.hub.documents;

import static dev.millrace.hub.documents.kept.DocumentsLayouts.versionsOf;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.pattern.BadKeyException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One document changed in part, and what it was before. An undo stores an earlier version again; as
 * the present one is kept with the others then, an undo of the undo brings it back.
 */
final class VersionsApi {
    private final Keyspace keyspace;
    private final DocumentsSettings settings;
    private final DocumentsService service;
    private final Positions positions;

    VersionsApi(
            Keyspace keyspace,
            DocumentsSettings settings,
            DocumentsService service,
            Positions positions) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.service = service;
        this.positions = positions;
    }

    List<Route> routes() {
        String root = "/" + settings.name() + "/datastore";
        return List.of(
                Route.patch(root + "/document")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Changes some members of a document: a merge patch, RFC 7396.")
                        .parameter("namespace", "of the document")
                        .parameter("id", "of the document")
                        .gives(Schemas.DatastoreSingleValueBox.class)
                        .by(BrewbloxErrors.told(this::patch)),
                Route.get(root + "/versions")
                        .needsInNamespace(Role.VIEWER, Rights.ROOM)
                        .about("What a document was before, the newest first.")
                        .parameter("namespace", "of the document")
                        .parameter("id", "of the document")
                        .by(this::versions),
                Route.post(root + "/undo")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Stores an earlier version of a document again; 0 is the newest.")
                        .takes(UndoQuery.class)
                        .gives(Schemas.DatastoreSingleValueBox.class)
                        .by(BrewbloxErrors.told(this::undo)));
    }

    record UndoQuery(String namespace, String id, Optional<Integer> version) {}

    private static String key(Request request) {
        return new Queries.Single(
                        request.query("namespace").orElse(""), request.query("id").orElse(""))
                .key();
    }

    // ---------------------------------------------------------------- patch

    private Answer patch(Request request) {
        String key = key(request);
        Rights.toWrite(request).mustCover(List.of(key));
        ObjectNode patch = Bodies.body(request);
        for (String name : List.of("namespace", "id")) {
            if (patch.has(name)) {
                throw new Mistakes()
                        .add(
                                "frozen_field",
                                Place.BODY.in(name),
                                "The name of a document cannot be patched; set another one",
                                patch.get(name))
                        .refused();
            }
        }
        return answer(
                service.change(
                        key,
                        Condition.of(request),
                        now -> {
                            if (now.isEmpty()) {
                                throw absent(key);
                            }
                            JsonNode before = Document.MAPPER.readTree(now.get().json());
                            return new Document(
                                    key, CompactJson.document((ObjectNode) merged(before, patch)));
                        }));
    }

    /** As RFC 7396 has it: null removes, objects are merged, everything else replaces. */
    static JsonNode merged(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        ObjectNode result =
                target instanceof ObjectNode object
                        ? object.deepCopy()
                        : Document.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            if (change.getValue().isNull()) {
                result.remove(change.getKey());
            } else {
                result.set(
                        change.getKey(), merged(result.path(change.getKey()), change.getValue()));
            }
        }
        return result;
    }

    private Answer answer(DocumentsService.Written written) {
        Document document = written.document();
        return DocumentsApi.box(
                document, positions.behind(document.topLevelNamespace(), written.number()));
    }

    private static RefusedException absent(String key) {
        return new RefusedException(new Refused.Absent("There is no document %s.".formatted(key)));
    }

    // ---------------------------------------------------------------- versions

    private List<byte[]> stored(String key) {
        try {
            return keyspace.list(versionsOf(key));
        } catch (BadKeyException e) {
            return List.of(); // nothing can be called so
        }
    }

    private Answer versions(Request request) {
        String key = key(request);
        List<byte[]> versions = Rights.toRead(request).cover(key) ? stored(key) : List.of();
        ByteArrayOutputStream body = new ByteArrayOutputStream(1024);
        body.writeBytes("{\"versions\":[".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < versions.size(); i++) {
            if (i > 0) {
                body.write(',');
            }
            body.writeBytes(versions.get(i));
        }
        body.writeBytes("]}".getBytes(StandardCharsets.US_ASCII));
        return Answer.bytes(200, "application/json", body.toByteArray());
    }

    private Answer undo(Request request) {
        ObjectNode body = Bodies.body(request);
        String key = Queries.single(body).key();
        Rights.toWrite(request).mustCover(List.of(key));
        JsonNode version = body.path("version");
        if (!version.isMissingNode() && !version.isInt()) {
            throw new Mistakes()
                    .add(
                            "int_type",
                            Place.BODY.in("version"),
                            "Input should be a valid integer",
                            version)
                    .refused();
        }
        int number = version.asInt(0);
        List<byte[]> versions = stored(key);
        if (number < 0 || number >= versions.size()) {
            throw new RefusedException(
                    new Refused.Absent(
                            "There are %d earlier versions of %s."
                                    .formatted(versions.size(), key)));
        }
        byte[] json =
                Document.MAPPER.writeValueAsBytes(
                        Document.MAPPER.readTree(versions.get(number)).get("value"));
        return answer(service.set(new Document(key, json), Condition.of(request)));
    }
}
