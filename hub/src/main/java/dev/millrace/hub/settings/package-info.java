/**
 * The kit that settings are made of. It knows no room: a feature declares its {@link
 * dev.millrace.hub.settings.Key keys} and a record, and reads the record from {@link
 * dev.millrace.hub.settings.Values}; where a value came from, and every mistake in it, is looked
 * after here.
 *
 * <p>What counts more stands further right: the default, {@code millrace.yaml}, the environment,
 * {@code --set}. An empty value is the default.
 */
@NullMarked
package dev.millrace.hub.settings;

import org.jspecify.annotations.NullMarked;
