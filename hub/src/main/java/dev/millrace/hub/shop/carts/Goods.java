package dev.millrace.hub.shop.carts;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.Map;

/** What the shop knows about its items. */
@FunctionalInterface
public interface Goods {
    /** The rows of those that it knows; one that cannot be read just now is missing. */
    Map<String, ObjectNode> of(Collection<String> items);
}
