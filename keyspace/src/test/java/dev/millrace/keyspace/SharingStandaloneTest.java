package dev.millrace.keyspace;

final class SharingStandaloneTest extends SharingContract {
    SharingStandaloneTest() {
        super(Site.STANDALONE);
    }
}
