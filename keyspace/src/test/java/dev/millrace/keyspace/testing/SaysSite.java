package dev.millrace.keyspace.testing;

import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Says where the tests of a class run now, which the reports only number. */
final class SaysSite implements BeforeClassTemplateInvocationCallback {
    @Override
    public void beforeClassTemplateInvocation(ExtensionContext context) {
        System.out.println(
                context.getRequiredTestClass().getSimpleName() + ": " + context.getDisplayName());
    }
}
