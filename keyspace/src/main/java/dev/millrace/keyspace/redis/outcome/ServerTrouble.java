package dev.millrace.keyspace.redis.outcome;

/**
 * What keeps an embedded server from doing its work.
 *
 * @param reason {@link Reason#FULL} when its disk is full, otherwise {@link Reason#UNAVAILABLE}
 * @param sentence what happened and what to do, for a person
 * @param lastWords the last lines of its log, or nothing where they would not help
 */
public record ServerTrouble(Reason reason, String sentence, String lastWords) {

    public static ServerTrouble unavailable(String sentence) {
        return new ServerTrouble(Reason.UNAVAILABLE, sentence, "");
    }

    public static ServerTrouble full(String sentence) {
        return new ServerTrouble(Reason.FULL, sentence, "");
    }

    public ServerTrouble withLastWords(String words) {
        return new ServerTrouble(reason, sentence, words.strip());
    }

    /** The sentence, and the last words below it. */
    @Override
    public String toString() {
        return lastWords.isEmpty() ? sentence : sentence + " Its last words:\n" + lastWords;
    }
}
