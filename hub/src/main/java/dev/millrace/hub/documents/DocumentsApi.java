package dev.millrace.hub.documents;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.DocumentReads;
import dev.millrace.hub.documents.kept.DocumentWrites;
import dev.millrace.hub.documents.kept.Glob;
import dev.millrace.hub.documents.kept.Revision;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Header;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.Keyspace;

import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The seven calls that clients of Brewblox know. Their answers have the members they always had;
 * what is new travels in headers: the revision of a document as {@code ETag}, the place in the feed
 * of changes as {@code X-Datastore-Seq}.
 */
final class DocumentsApi {
    static final String PLACE = "X-Datastore-Seq";

    /** What is larger is read by a thread of its own: others wait for the one it came in on. */
    private static final int PROMPT_BYTES = 32 << 10;

    private static final Header JSON = new Header("Content-Type", "application/json");
    private static final byte[] VALUE = ascii("{\"value\":");
    private static final byte[] NO_VALUE = ascii("{\"value\":null}");
    private static final byte[] VALUES = ascii("{\"values\":[");
    private static final byte[] END = ascii("]}");

    private final Keyspace keyspace;
    private final DocumentsSettings settings;
    private final DocumentReads reads;
    private final DocumentWrites writes;
    private final DocumentsService service;
    private final Positions positions;

    DocumentsApi(
            Keyspace keyspace,
            DocumentsSettings settings,
            DocumentReads reads,
            DocumentWrites writes,
            DocumentsService service,
            Positions positions) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.reads = reads;
        this.writes = writes;
        this.service = service;
        this.positions = positions;
    }

    List<Route> routes() {
        String root = "/" + settings.name() + "/datastore";
        long maxBody = settings.maxBody().count();
        return List.of(
                Route.get(root + "/ping")
                        .needsInNamespace(Role.VIEWER, Rights.ROOM)
                        .about("Whether Redis answers.")
                        .gives(Schemas.PingResponse.class)
                        .by(request -> ping()),
                Route.post(root + "/get")
                        .needsInNamespace(Role.VIEWER, Rights.ROOM)
                        .about("One document; null if there is none.")
                        .takes(Schemas.DatastoreSingleQuery.class)
                        .gives(Schemas.DatastoreOptSingleValueBox.class)
                        .promptlyBy(BrewbloxErrors.toldPromptly(this::get)),
                Route.post(root + "/mget")
                        .needsInNamespace(Role.VIEWER, Rights.ROOM)
                        .about("Documents by id, by filter or both; all of a namespace by neither.")
                        .takes(Schemas.DatastoreMultiQuery.class)
                        .gives(Schemas.DatastoreMultiValueBox.class)
                        .by(BrewbloxErrors.told(this::getMany)),
                Route.post(root + "/set")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Stores a document and announces it.")
                        .takes(Schemas.DatastoreSingleValueBox.class)
                        .gives(Schemas.DatastoreSingleValueBox.class)
                        .maxBody(maxBody)
                        .promptlyBy(BrewbloxErrors.toldPromptly(this::set)),
                Route.post(root + "/mset")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Stores documents and announces them.")
                        .takes(Schemas.DatastoreMultiValueBox.class)
                        .gives(Schemas.DatastoreMultiValueBox.class)
                        .maxBody(maxBody)
                        .by(BrewbloxErrors.told(this::setMany)),
                Route.post(root + "/delete")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Removes a document; says how many there were.")
                        .takes(Schemas.DatastoreSingleQuery.class)
                        .gives(Schemas.DatastoreDeleteResponse.class)
                        .by(BrewbloxErrors.told(this::delete)),
                Route.post(root + "/mdelete")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Removes documents by id, by filter or both; says how many.")
                        .takes(Schemas.DatastoreMultiQuery.class)
                        .gives(Schemas.DatastoreDeleteResponse.class)
                        .by(BrewbloxErrors.told(this::deleteMany)));
    }

    private Answer ping() {
        keyspace.mustAnswer();
        return Answer.json(Map.of("ping", "pong"))
                .with(
                        "Cache-Control",
                        "no-cache, no-store, must-revalidate, proxy-revalidate, max-age=0")
                .with("Pragma", "no-cache")
                .with("Expires", "0");
    }

    // ---------------------------------------------------------------- reading

    private CompletionStage<Answer> get(Request request) {
        String place = positions.text();
        Queries.Single query = Queries.single(request);
        if (!Rights.toRead(request).cover(query.key())) {
            return CompletableFuture.completedFuture(found(Optional.empty(), place));
        }
        return reads.get(query.key()).thenApply(document -> found(document, place));
    }

    private static Answer found(Optional<Document> document, String place) {
        return document.map(each -> box(each, place))
                .orElseGet(
                        () ->
                                new Answer(
                                        200,
                                        List.of(JSON, new Header(PLACE, place)),
                                        new Answer.Body.Whole(NO_VALUE)));
    }

    /** {@code {"value":…}} around the bytes as they are. */
    static Answer box(Document document, String place) {
        byte[] json = document.json();
        byte[] body = new byte[VALUE.length + json.length + 1];
        System.arraycopy(VALUE, 0, body, 0, VALUE.length);
        System.arraycopy(json, 0, body, VALUE.length, json.length);
        body[body.length - 1] = '}';
        return new Answer(
                200,
                List.of(
                        JSON,
                        new Header("ETag", Revision.of(json).tag()),
                        new Header(PLACE, place)),
                new Answer.Body.Whole(body));
    }

    private Answer getMany(Request request) {
        String place = positions.fresh();
        Queries.Multi query = Queries.multi(request).orAll();
        Rights rights = Rights.toRead(request);
        List<Document> found =
                new ArrayList<>(reads.getAll(query.keys().stream().filter(rights::cover).toList()));
        Glob glob = query.glob();
        if (glob != null) {
            found.addAll(reads.matching(glob, rights::cover));
        }
        return boxes(found, place);
    }

    private static Answer boxes(List<Document> documents, String place) {
        int room = VALUES.length + END.length;
        for (Document each : documents) {
            room += each.json().length + 1;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream(room);
        body.writeBytes(VALUES);
        for (int i = 0; i < documents.size(); i++) {
            if (i > 0) {
                body.write(',');
            }
            body.writeBytes(documents.get(i).json());
        }
        body.writeBytes(END);
        return new Answer(
                200,
                List.of(JSON, new Header(PLACE, place)),
                new Answer.Body.Whole(body.toByteArray()));
    }

    // ---------------------------------------------------------------- writing

    private CompletionStage<Answer> set(Request request) {
        return request.body().length > PROMPT_BYTES
                ? CompletableFuture.supplyAsync(() -> setNow(request), Thread::startVirtualThread)
                        .thenCompose(answer -> answer)
                : setNow(request);
    }

    private CompletionStage<Answer> setNow(Request request) {
        ObjectNode body = Bodies.body(request);
        Document document = NewDocuments.one(body);
        Rights.toWrite(request).mustCover(List.of(document.key()));
        Condition condition = Condition.of(request, body);
        CompletableFuture<Long> number =
                condition instanceof Condition.None
                        ? service.set(document)
                        : CompletableFuture.supplyAsync(
                                () -> service.set(document, condition).number(),
                                Thread::startVirtualThread);
        return number.thenApply(
                at -> box(document, positions.behind(document.topLevelNamespace(), at)));
    }

    private Answer setMany(Request request) {
        List<Document> documents = NewDocuments.all(Bodies.body(request));
        Rights.toWrite(request).mustCover(documents.stream().map(Document::key).toList());
        if (documents.isEmpty()) {
            return boxes(documents, positions.fresh());
        }
        String before = positions.fresh();
        service.setAll(documents);
        return boxes(documents, before);
    }

    private Answer delete(Request request) {
        String key = Queries.single(request).key();
        Rights.toWrite(request).mustCover(List.of(key));
        return count(List.of(key));
    }

    private Answer deleteMany(Request request) {
        Queries.Multi query = Queries.multi(request);
        Rights rights = Rights.toWrite(request);
        rights.mustCover(query.keys());
        List<String> keys = new ArrayList<>(query.keys());
        Glob glob = query.glob();
        if (glob != null) {
            keys.addAll(reads.keysMatching(glob, rights::cover));
        }
        return count(keys);
    }

    private Answer count(List<String> keys) {
        String before = positions.fresh();
        return Answer.json(Map.of("count", writes.delete(keys).orThrow())).with(PLACE, before);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
