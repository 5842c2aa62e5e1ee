package dev.millrace.keyspace.testing;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class whose tests hold on a single server and on a cluster alike, and run once on each. It gets
 * its {@link Site} by its constructor or in a field that is a {@code @Parameter}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@EnumSource(Site.class)
@ExtendWith(SaysSite.class)
public @interface OnEachSite {}
