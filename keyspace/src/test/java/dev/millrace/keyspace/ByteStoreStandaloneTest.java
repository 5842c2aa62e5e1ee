package dev.millrace.keyspace;

final class ByteStoreStandaloneTest extends ByteStoreContract {
    ByteStoreStandaloneTest() {
        super(Site.STANDALONE);
    }
}
