package dev.millrace.hub.roles;

/** What became of it when somebody tried something. */
enum Cell {
    REFUSED("–"),
    READS("reads"),
    CHANGES("changes");

    private final String word;

    Cell(String word) {
        this.word = word;
    }

    /** As the table has it. */
    String word() {
        return word;
    }
}
