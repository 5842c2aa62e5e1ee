package dev.millrace.keyspace;

final class ValueStandaloneTest extends ValueContract {
    ValueStandaloneTest() {
        super(Site.STANDALONE);
    }
}
