package dev.millrace.hub.settings;

/** A record of settings that looks whether they fit each other, once each is right by itself. */
public interface Checked {
    /** Notes what does not fit. */
    void check(Problems problems);

    /** Where that is noted. Settings are named as below the record: {@code tls.cert}. */
    interface Problems {
        /** Whether nothing was wrong with a setting so far; else its value says nothing. */
        boolean isRight(String setting);

        /** Notes a mistake; the sentence will begin with the place where the value was written. */
        void note(String setting, String sentence);
    }
}
