/**
 * JSON documents under a namespace and an id, from the fourth key description (Brewblox). Their key
 * is that path and nothing else, so they are the rest: whatever another room claims is refused to
 * them. Every change is announced in the order of the writes. Way in: {@link
 * dev.millrace.hub.documents.Documents}.
 */
@NullMarked
package dev.millrace.hub.documents;

import org.jspecify.annotations.NullMarked;
