package dev.millrace.keyspace.layout;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;

/** What a sorted index sorts by. Serializable only so that a method reference can tell its name. */
@FunctionalInterface
public interface ScoreOf<E> extends Serializable {

    double of(E entity);

    /** The method's name if this is a method reference, for the key reference; else "computed". */
    default String words() {
        try {
            Method replace = getClass().getDeclaredMethod("writeReplace");
            replace.setAccessible(true);
            if (replace.invoke(this) instanceof SerializedLambda lambda
                    && !lambda.getImplMethodName().startsWith("lambda$")) {
                return lambda.getImplMethodName();
            }
        } catch (ReflectiveOperationException e) {
            // an ordinary class: it has no name to tell
        }
        return "computed";
    }
}
