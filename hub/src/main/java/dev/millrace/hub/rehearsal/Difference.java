package dev.millrace.hub.rehearsal;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * How what was rehearsed differs from what the live rule has done.
 *
 * @param from since when the live rule is as it is, or since when is known what it has done
 * @param tolerance by how many ms the same thing may be apart
 */
public record Difference(long from, List<Live> live, long tolerance) {
    private static final int MOST_TOLD = 500;

    public Difference {
        live = List.copyOf(live);
    }

    /**
     * Something that the live rule has done.
     *
     * @param trigger what made it look; empty if that is not known
     */
    public record Live(long at, String trigger, String id) {}

    /** Puts it into an answer, and marks the firings that were live, too. */
    public void addTo(ObjectNode answer, List<Firing> firings) {
        List<Firing> rehearsed = firings.stream().filter(each -> each.at() >= from).toList();
        List<Firing> left = new ArrayList<>(rehearsed);
        List<Live> unmatched = new ArrayList<>(live);
        // What is exactly the same goes first, so that nothing near takes its place.
        int same = match(left, unmatched, 0) + match(left, unmatched, tolerance);
        Set<Firing> alone = Collections.newSetFromMap(new IdentityHashMap<>());
        alone.addAll(left);
        rehearsed.forEach(each -> each.view().put("live", !alone.contains(each)));
        ObjectNode difference = answer.putObject("difference");
        difference.put("compared_from", Span.iso(from));
        difference.put("live", live.size());
        difference.put("rehearsed", rehearsed.size());
        difference.put("same", same);
        ArrayNode onlyLive = difference.putArray("only_live");
        unmatched.stream()
                .limit(MOST_TOLD)
                .forEach(
                        each ->
                                onlyLive.addObject()
                                        .put("at", Span.iso(each.at))
                                        .put("trigger", each.trigger)
                                        .put("execution_id", each.id));
        ArrayNode onlyRehearsed = difference.putArray("only_rehearsed");
        left.stream()
                .limit(MOST_TOLD)
                .forEach(
                        each ->
                                onlyRehearsed
                                        .addObject()
                                        .put("at", Span.iso(each.at()))
                                        .put("trigger", each.trigger()));
    }

    private static int match(List<Firing> firings, List<Live> lives, long apart) {
        int same = 0;
        int from = 0;
        for (int i = 0; i < firings.size(); i++) {
            Firing firing = firings.get(i);
            while (from < lives.size() && lives.get(from).at < firing.at() - apart) {
                from++;
            }
            for (int j = from; j < lives.size() && lives.get(j).at <= firing.at() + apart; j++) {
                Live live = lives.get(j);
                if (live.trigger.isEmpty() || live.trigger.equals(firing.trigger())) {
                    lives.remove(j);
                    firings.remove(i--);
                    same++;
                    break;
                }
            }
        }
        return same;
    }
}
