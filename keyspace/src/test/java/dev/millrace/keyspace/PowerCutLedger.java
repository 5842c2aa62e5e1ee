package dev.millrace.keyspace;

import dev.millrace.keyspace.Plant.Event;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What hubs have said they did, compared with what is there afterwards. Three things can be known
 * of a write: it was acknowledged and has to be there; it was refused and must not be; or it was
 * tried and nobody heard of it again, then it is there wholly or not at all. Once seen after a
 * restart, it counts as acknowledged.
 */
final class PowerCutLedger {
    private enum Known {
        NEVER_TRIED,
        TRIED,
        DONE
    }

    private static final class Account {
        private final boolean item;
        private Known created = Known.TRIED;
        private Known pushed = Known.NEVER_TRIED;
        private Known deleted = Known.NEVER_TRIED;

        Account(boolean item) {
            this.item = item;
        }
    }

    /** What is there, once every fact is copied and every item done. */
    record Present(
            Map<String, Event> events, Map<String, Integer> copies, Map<String, Integer> ends) {}

    /**
     * What a comparison found.
     *
     * @param lost writes that were acknowledged and are gone
     * @param unknown writes that were tried and not heard of again
     * @param wrong sentences about what no kill and no power cut may ever cause
     */
    record Found(int lost, int unknown, List<String> wrong) {}

    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<String, String> outsideFacts = new HashMap<>();
    private final Set<String> outsideItems = new HashSet<>();
    private final List<String> surprises = new ArrayList<>();
    private int acknowledged;

    synchronized int acknowledged() {
        return acknowledged;
    }

    synchronized void hear(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "tried" -> learn(words, Known.TRIED);
            case "done" -> {
                learn(words, Known.DONE);
                acknowledged++;
            }
            case "not" -> {
                learn(words, Known.NEVER_TRIED);
                if (!words[3].equals("UNAVAILABLE")) {
                    surprises.add(line);
                }
            }
            case "outside" -> {
                if (words[1].equals("item")) {
                    outsideItems.add(words[2]);
                } else {
                    String before = outsideFacts.put(words[2], words[3]);
                    if (before != null && !before.equals(words[3])) {
                        surprises.add("Fact " + words[2] + " was sent as two different ones.");
                    }
                }
            }
            default -> throw new IllegalArgumentException(line);
        }
    }

    private void learn(String[] words, Known known) {
        Account account = accounts.computeIfAbsent(words[2], id -> new Account(words.length == 4));
        switch (words[1]) {
            case "create" -> account.created = known;
            case "push" -> account.pushed = known;
            case "delete" -> account.deleted = known;
            default -> throw new IllegalArgumentException(words[1]);
        }
    }

    /** Facts leave the world and cannot be taken back: only where nothing acknowledged is lost. */
    synchronized List<String> compareOutside(Present present) {
        List<String> wrong = new ArrayList<>(surprises);
        Map<String, String> facts = new HashMap<>();
        for (String copy : present.copies().keySet()) {
            String[] numberAndId = copy.split(" ", -1);
            facts.put(numberAndId[0], numberAndId[1]);
        }
        if (!facts.equals(outsideFacts)) {
            wrong.add("%d facts inside, %d outside".formatted(facts.size(), outsideFacts.size()));
        }
        if (!present.ends().keySet().equals(outsideItems)) {
            wrong.add(
                    "%d items inside, %d outside"
                            .formatted(present.ends().size(), outsideItems.size()));
        }
        return wrong;
    }

    synchronized Found compare(Present present) {
        List<String> wrong = new ArrayList<>();
        Map<String, Integer> facts = new HashMap<>();
        Set<String> numbers = new HashSet<>();
        present.copies()
                .forEach(
                        (copy, times) -> {
                            String[] numberAndId = copy.split(" ", -1);
                            numbers.add(numberAndId[0]);
                            facts.merge(numberAndId[1], times, Integer::sum);
                        });
        for (int number = 1; number <= present.copies().size(); number++) {
            if (!numbers.contains(Integer.toString(number))) {
                wrong.add("There is no fact with the number " + number);
            }
        }
        Set<String> strangers = new HashSet<>(present.events().keySet());
        strangers.addAll(facts.keySet());
        strangers.addAll(present.ends().keySet());
        strangers.removeAll(accounts.keySet());
        strangers.forEach(id -> wrong.add("Nobody tried to write " + id));
        int lost = 0;
        int unknown = 0;
        for (Map.Entry<String, Account> entry : accounts.entrySet()) {
            String id = entry.getKey();
            Account account = entry.getValue();
            int seen = facts.getOrDefault(id, 0);
            int ended = present.ends().getOrDefault(id, 0);
            if (seen > 1 || ended != (account.item ? seen : 0)) {
                wrong.add(
                        "Fact copied %d times, item done %d times: %s".formatted(seen, ended, id));
            }
            unknown += unknown(account);
            lost += settle(id, account, seen > 0, present.events().get(id), wrong);
        }
        return new Found(lost, unknown, wrong);
    }

    private static int unknown(Account account) {
        return (account.created == Known.TRIED ? 1 : 0)
                + (account.pushed == Known.TRIED ? 1 : 0)
                + (account.deleted == Known.TRIED ? 1 : 0);
    }

    /** Compares one account with what is there, and makes it say just that from now on. */
    private static int settle(
            String id, Account account, boolean fact, @Nullable Event event, List<String> wrong) {
        boolean pushed = event != null && event.isPushed();
        boolean gone = fact && event == null;
        if ((event != null && !fact)
                || (fact && account.created == Known.NEVER_TRIED)
                || (pushed && account.pushed == Known.NEVER_TRIED)
                || (gone && account.deleted == Known.NEVER_TRIED)) {
            wrong.add(
                    "%s: fact=%s event=%s, but create=%s push=%s delete=%s"
                            .formatted(
                                    id,
                                    fact,
                                    event,
                                    account.created,
                                    account.pushed,
                                    account.deleted));
        }
        int lost = 0;
        if (account.created == Known.DONE && !fact) {
            lost++;
        }
        if (account.pushed == Known.DONE && !pushed && !gone) {
            lost++;
        }
        if (account.deleted == Known.DONE && !gone) {
            lost++;
        }
        account.created = fact ? Known.DONE : Known.NEVER_TRIED;
        account.pushed = pushed ? Known.DONE : Known.NEVER_TRIED;
        account.deleted = gone ? Known.DONE : Known.NEVER_TRIED;
        return lost;
    }
}
