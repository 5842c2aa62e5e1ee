package dev.millrace.hub.settings;

import java.util.Locale;
import java.util.Optional;

/**
 * One setting: its name, what its value may be, and what it is when nobody says anything.
 *
 * @param name in small letters, parts separated by dots: {@code http.max-body}
 * @param standard the default as a person would write it; empty where there is none
 * @param emptyMeans what an empty value means, in words; empty where that goes without saying
 * @param fallback the default
 * @param about what it is for
 */
public record Key<T>(
        String name,
        Kind<T> kind,
        String standard,
        String emptyMeans,
        T fallback,
        String about,
        Secrecy secrecy) {

    /** Of every environment variable that is a setting. */
    static final String PREFIX = "MILLRACE_";

    /** What of a value may be shown. */
    public enum Secrecy {
        /** All of it. */
        OPEN,
        /** An address, without the user and password in it. */
        ADDRESS,
        /** Nothing. */
        SECRET
    }

    public Key {
        if (!name.matches("[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)*")) {
            throw new IllegalArgumentException(name + " is not a valid setting name");
        }
    }

    /** A setting that always has a value. */
    public static <T> Key<T> of(String name, Kind<T> kind, String standard, String about) {
        T fallback = kind.read(kind.split(standard));
        return new Key<>(name, kind, standard, "", fallback, about, Secrecy.OPEN);
    }

    /** A list or a map that is empty unless somebody fills it. */
    public static <T> Key<T> none(String name, Kind<T> kind, String emptyMeans, String about) {
        T fallback = kind.read(kind.split(""));
        return new Key<>(name, kind, "", emptyMeans, fallback, about, Secrecy.OPEN);
    }

    /** A setting without a default. */
    public static <T> Key<Optional<T>> optional(
            String name, Kind<T> kind, String emptyMeans, String about) {
        return new Key<>(
                name, kind.optional(), "", emptyMeans, Optional.empty(), about, Secrecy.OPEN);
    }

    /** The same, and its value is never shown. */
    public Key<T> secret() {
        return new Key<>(name, kind, standard, emptyMeans, fallback, about, Secrecy.SECRET);
    }

    /** The same, and user and password in its value are never shown. */
    public Key<T> address() {
        return new Key<>(name, kind, standard, emptyMeans, fallback, about, Secrecy.ADDRESS);
    }

    /** The environment variable that sets it. */
    public String variable() {
        return PREFIX + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** The default, for people. */
    public String standardInWords() {
        String shown = standard.isEmpty() ? "empty" : standard;
        return emptyMeans.isEmpty() ? shown : shown + ": " + emptyMeans;
    }
}
