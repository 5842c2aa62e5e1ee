package dev.millrace.keyspace.commit;

/**
 * What a commit can check and do, each a letter in the word that {@code Commit.run.lua} reads. The
 * script has the same table in its head; a test compares the two.
 */
public enum Operation {
    ABSENT('a', 1, 0, Effect.CHECK),
    EQUALS('e', 1, 1, Effect.CHECK),
    EXISTS('x', 1, 0, Effect.CHECK),
    FIELD_EQUALS('f', 1, 2, Effect.CHECK),
    FIELD_ABSENT('n', 1, 1, Effect.CHECK),
    IN_SORTED_SET('m', 1, 1, Effect.CHECK),
    IN_SET('p', 1, 1, Effect.CHECK),
    IN_LIST('i', 1, 1, Effect.CHECK),
    LIST_SHORTER('c', 1, 1, Effect.CHECK),
    AT_LEAST('l', 1, 1, Effect.CHECK),
    AT_MOST('h', 1, 1, Effect.CHECK),
    TEXT_EQUALS('g', 1, 1, Effect.CHECK),
    NUMBER_EQUALS('q', 1, 1, Effect.CHECK),
    UNIQUE('u', 1, 2, Effect.CHECK),
    ABSENT_OR_OF_KIND('k', 2, 1, Effect.CHECK),
    SCORE_EQUALS('s', 1, 2, Effect.CHECK),
    NOT_LATER('b', 1, 1, Effect.CHECK),
    ONCE('t', 1, 1, Effect.CHECK),

    SET_ABSENT('N', 1, 1, Effect.ADD),
    SET('S', 1, 1, Effect.ADD),
    SET_FOR('X', 1, 2, Effect.ADD),
    DELETE('D', 1, 0, Effect.REMOVE),
    EXPIRE('E', 1, 1, Effect.REMOVE),
    ADD_SORTED('Z', 1, 2, Effect.ADD),
    /** As before, with the member of the one before. */
    ADD_SORTED_AGAIN('M', 1, 1, Effect.ADD),
    REMOVE_SORTED('Y', 1, 1, Effect.REMOVE),
    ADD_MEMBER('A', 1, 1, Effect.ADD),
    REMOVE_MEMBER('B', 1, 1, Effect.REMOVE),
    SET_FIELD('U', 1, 2, Effect.ADD),
    REMOVE_FIELD('V', 1, 1, Effect.REMOVE),
    REMOVE_FIELD_IF('T', 1, 2, Effect.REMOVE),
    REMOVE_FIELDS('W', 1, Operation.ANY, Effect.REMOVE),
    SET_FIELDS('H', 1, Operation.ANY, Effect.ADD),
    RAISE_FIELD('R', 1, 2, Effect.ADD),
    INCREMENT('I', 1, 1, Effect.ADD),
    INCREMENT_FIELD('J', 1, 2, Effect.ADD),
    /** Said with what is removed too, and takes the room of a number. */
    SIZE_FIELD('C', 2, 2, Effect.REMOVE),
    PUSH('L', 1, 2, Effect.ADD),
    APPEND('P', 1, 2, Effect.ADD),
    REMOVE_LISTED('-', 1, 1, Effect.REMOVE),
    LOG('Q', 2, 3, Effect.ADD),
    LOG_IF_LIST('G', 2, 3, Effect.ADD),
    FACT('F', 2, 1, Effect.ADD),
    KEEP_BEFORE('K', 2, 4, Effect.ADD),
    ANNOUNCE('O', 1, 2, Effect.REMOVE);

    /** So many arguments as its first one says. */
    static final int ANY = -1;

    /** What it does to a database that is full. */
    enum Effect {
        CHECK,
        ADD,
        /** Takes no room, so a full server takes it too. */
        REMOVE
    }

    final char letter;
    final int keys;
    final int args;
    final Effect effect;

    Operation(char letter, int keys, int args, Effect effect) {
        this.letter = letter;
        this.keys = keys;
        this.args = args;
        this.effect = effect;
    }

    boolean isCheck() {
        return effect == Effect.CHECK;
    }

    private static final Operation[] BY_LETTER = new Operation['z' + 1];

    static {
        for (Operation each : values()) {
            BY_LETTER[each.letter] = each;
        }
    }

    static Operation of(char letter) {
        return BY_LETTER[letter];
    }
}
