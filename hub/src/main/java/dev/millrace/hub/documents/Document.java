package dev.millrace.hub.documents;

/**
 * A JSON object under its key.
 *
 * @param key namespace and id, joined by a colon; the id alone where there is no namespace. Stored
 *     documents are believed, also where their own members say something else
 * @param json the whole object, as it was written
 */
record Document(String key, String json) {}
