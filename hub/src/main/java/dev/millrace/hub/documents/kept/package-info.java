/**
 * What is stored of documents, and every way to write one. Its keys: {@link
 * dev.millrace.hub.documents.kept.DocumentsLayouts}.
 */
@NullMarked
package dev.millrace.hub.documents.kept;

import org.jspecify.annotations.NullMarked;
