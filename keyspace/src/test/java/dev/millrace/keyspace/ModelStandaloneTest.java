package dev.millrace.keyspace;

final class ModelStandaloneTest extends ModelContract {
    ModelStandaloneTest() {
        super(Site.STANDALONE);
    }
}
