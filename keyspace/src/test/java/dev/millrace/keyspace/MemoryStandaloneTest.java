package dev.millrace.keyspace;

final class MemoryStandaloneTest extends MemoryContract {
    MemoryStandaloneTest() {
        super(Site.STANDALONE);
    }
}
