package dev.millrace.hub.rules.logic;

/** Why JSON is not a rule: a code that clients know, the member at fault, and a sentence. */
public final class RuleFault extends Exception {
    /** What is wrong. */
    public enum Code {
        VALIDATION_ERROR,
        INVALID_CONDITION,
        INVALID_ACTION,
        RULE_CYCLE
    }

    private final Code code;
    private final String member;
    private final String sentence;

    /**
     * @param member such as {@code actions[0].value}
     */
    public RuleFault(Code code, String member, String sentence) {
        super(member + ": " + sentence, null, false, false);
        this.code = code;
        this.member = member;
        this.sentence = sentence;
    }

    static RuleFault condition(String member, String sentence) {
        return new RuleFault(Code.INVALID_CONDITION, member, sentence);
    }

    static RuleFault action(String member, String sentence) {
        return new RuleFault(Code.INVALID_ACTION, member, sentence);
    }

    static RuleFault general(String member, String sentence) {
        return new RuleFault(Code.VALIDATION_ERROR, member, sentence);
    }

    public Code code() {
        return code;
    }

    public String member() {
        return member;
    }

    public String sentence() {
        return sentence;
    }
}
