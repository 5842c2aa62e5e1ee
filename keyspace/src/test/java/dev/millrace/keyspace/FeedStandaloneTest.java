package dev.millrace.keyspace;

final class FeedStandaloneTest extends FeedContract {
    FeedStandaloneTest() {
        super(Site.STANDALONE);
    }
}
