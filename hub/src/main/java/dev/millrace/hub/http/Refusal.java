package dev.millrace.hub.http;

/**
 * A request that is answered with something else than it wanted, in words that only one room knows;
 * whatever is wrong with requests everywhere is a {@link Problem}. It is an answer, not an
 * accident, so it carries no stack.
 */
public abstract class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    protected Refusal(String sentence, Answer answer) {
        super(sentence, null, false, false);
        this.answer = answer;
    }

    public final Answer answer() {
        return answer;
    }
}
