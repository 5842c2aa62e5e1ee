package dev.millrace.keyspace;

final class StoreStandaloneTest extends StoreContract {
    StoreStandaloneTest() {
        super(Site.STANDALONE);
    }
}
