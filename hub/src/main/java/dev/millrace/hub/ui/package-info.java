/**
 * The pages, as static files in the jar: {@code /} and what lies under {@code /ui/}, and {@code
 * /docs}. Libraries for the browser come from webjars, file by file as {@link
 * dev.millrace.hub.ui.UiApi} names them; nothing is built, and nothing comes from another host.
 */
@NullMarked
package dev.millrace.hub.ui;

import org.jspecify.annotations.NullMarked;
