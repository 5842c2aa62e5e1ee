package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.NewValues;
import dev.millrace.hub.telemetry.kept.PointType;

import java.util.Map;
import java.util.Set;

/**
 * What a device has said in one poll, as people read it.
 *
 * @param values by type; a type of which nothing was read is not there
 * @param missed points that could not be read, or whose value cannot be
 */
public record Heard(Map<PointType, NewValues> values, Map<PointType, Set<String>> missed) {}
