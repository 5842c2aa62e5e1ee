package dev.millrace.hub.documents;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.documents.Mistakes.Place;
import dev.millrace.hub.documents.kept.Document;
import dev.millrace.hub.documents.kept.DocumentReads;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All documents, or those of a namespace, as one line of JSON each; and back. What was exported can
 * be imported as it is. Neither holds more than a few of them at a time.
 */
final class TransferApi {
    private static final String LINES = "application/x-ndjson";
    private static final int STEP = 500;
    private static final int STEP_BYTES = 1 << 20;

    private final DocumentsSettings settings;
    private final DocumentReads reads;
    private final DocumentsService service;

    TransferApi(DocumentsSettings settings, DocumentReads reads, DocumentsService service) {
        this.settings = settings;
        this.reads = reads;
        this.service = service;
    }

    List<Route> routes() {
        String root = "/" + settings.name() + "/datastore";
        return List.of(
                Route.get(root + "/export")
                        .needsInNamespace(Role.VIEWER, Rights.ROOM)
                        .about("All documents, one line of JSON each.")
                        .parameter("namespace", "only what is in it, or below it")
                        .givesType(LINES)
                        .by(this::export),
                Route.post(root + "/import")
                        .needsInNamespace(Role.OPERATOR, Rights.ROOM)
                        .about("Stores documents, one line of JSON each, and announces them.")
                        .gives(Schemas.DatastoreDeleteResponse.class)
                        .receivingBy(BrewbloxErrors.toldReceiving(this::take)));
    }

    // ---------------------------------------------------------------- out

    private Answer export(Request request) {
        Rights rights = Rights.toRead(request);
        String prefix =
                request.query("namespace")
                        .filter(name -> !name.isEmpty())
                        .map(name -> name + ":")
                        .orElse("");
        return Answer.streamed(LINES, out -> write(prefix, rights, out));
    }

    private void write(String prefix, Rights rights, OutputStream out) throws IOException {
        try {
            reads.each(
                    DocumentReads.ownerOf(prefix),
                    prefix,
                    document -> {
                        if (rights.cover(document.key())) {
                            line(document, out);
                        }
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void line(Document document, OutputStream out) {
        try {
            out.write(oneLine(document.json()));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What others have written may have lines of its own. */
    private static byte[] oneLine(byte[] json) {
        for (byte each : json) {
            if (each == '\n' || each == '\r') {
                return Document.MAPPER.writeValueAsBytes(Document.MAPPER.readTree(json));
            }
        }
        return json;
    }

    // ---------------------------------------------------------------- in

    private Answer take(Request request, InputStream body) throws IOException {
        Rights rights = Rights.toWrite(request);
        List<Document> step = new ArrayList<>();
        long bytes = 0;
        int stored = 0;
        int number = 0;
        Lines lines = new Lines(body, settings.maxDocument().count());
        for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (line.get().length > 0) {
                Document document = document(line.get(), number, rights);
                step.add(document);
                bytes += document.json().length;
            }
            if (step.size() >= STEP || bytes > STEP_BYTES) {
                service.setAll(step);
                stored += step.size();
                step.clear();
                bytes = 0;
            }
            number++;
        }
        service.setAll(step);
        return Answer.json(Map.of("count", stored + step.size()));
    }

    private static Document document(byte[] line, int number, Rights rights) {
        ObjectNode tree = Bodies.object(line, Place.BODY.in(number));
        Document document = NewDocuments.of(tree, Place.BODY.in(number));
        rights.mustCover(List.of(document.key()));
        return document;
    }

    /** Lines of a body while it arrives, each of them bounded. */
    private static final class Lines {
        private static final int SLACK = 4096;

        private final InputStream in;
        private final long longest;
        private final byte[] buffer = new byte[32 << 10];
        private int at;
        private int end;

        Lines(InputStream in, long longestDocument) {
            this.in = in;
            // As it comes it may have blanks and escapes that are not stored.
            this.longest = 2 * longestDocument + SLACK;
        }

        Optional<byte[]> next() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream(256);
            while (fill()) {
                int from = at;
                while (at < end && buffer[at] != '\n') {
                    at++;
                }
                line.write(buffer, from, at - from);
                if (line.size() > longest) {
                    throw new RefusedException(
                            new Refused.TooLarge(
                                    "A line is longer than documents.max-document allows."));
                }
                if (at < end) {
                    at++;
                    return Optional.of(trimmed(line.toByteArray()));
                }
            }
            return line.size() == 0 ? Optional.empty() : Optional.of(trimmed(line.toByteArray()));
        }

        private boolean fill() throws IOException {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(buffer));
            }
            return at < end;
        }

        private static byte[] trimmed(byte[] line) {
            int length = line.length;
            while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == ' ')) {
                length--;
            }
            return length == line.length ? line : java.util.Arrays.copyOf(line, length);
        }
    }
}
