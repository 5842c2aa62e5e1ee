package dev.millrace.hub.documents;

import java.util.List;
import java.util.Optional;

/** The shapes of bodies, for the documentation, under the names that clients know them by. */
final class Schemas {
    private Schemas() {}

    record PingResponse(String ping) {}

    record DatastoreSingleQuery(String namespace, String id) {}

    record DatastoreMultiQuery(
            String namespace, Optional<List<String>> ids, Optional<String> filter) {}

    /** And whatever else a document has. */
    record DatastoreValue(String namespace, String id) {}

    record DatastoreSingleValueBox(DatastoreValue value) {}

    record DatastoreOptSingleValueBox(Optional<DatastoreValue> value) {}

    record DatastoreMultiValueBox(List<DatastoreValue> values) {}

    record DatastoreDeleteResponse(long count) {}
}
