package dev.millrace.hub.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a component of a record a setting. Its name is that of the component, {@code maxBody} being
 * written {@code max-body}, below the name of its block; what its value may be follows from its
 * type. See {@link Block#of}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** What it is for. */
    String about();

    /** The default as a person would write it; empty where there is none. */
    String standard() default "";

    /** What an empty value means, in words; empty where that goes without saying. */
    String empty() default "";

    /** The least number, size or time, written like a value; empty for any. */
    String least() default "";

    /** The largest. */
    String most() default "";

    /** What a text or a number stands for. */
    Meaning meaning() default Meaning.PLAIN;

    /** A static method of the record that reads one value from a text; empty for the usual way. */
    String by() default "";

    Key.Secrecy secrecy() default Key.Secrecy.OPEN;

    /** What a type does not say. */
    enum Meaning {
        PLAIN,
        /** A port to listen on. */
        PORT,
        /** A name or address of a machine. */
        HOST
    }
}
