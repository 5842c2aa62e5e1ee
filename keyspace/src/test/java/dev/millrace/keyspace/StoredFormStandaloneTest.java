package dev.millrace.keyspace;

final class StoredFormStandaloneTest extends StoredFormContract {
    StoredFormStandaloneTest() {
        super(Site.STANDALONE);
    }
}
