package dev.millrace.hub.telemetry.bus.modbus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Points that are read with one request, in the order of their addresses. */
record Block(List<Spot> spots) {
    private static final Comparator<Spot> ORDER =
            Comparator.comparingInt(Spot::unit)
                    .thenComparing(Spot::table)
                    .thenComparingInt(Spot::address);

    int unit() {
        return spots.getFirst().unit();
    }

    Table table() {
        return spots.getFirst().table();
    }

    int address() {
        return spots.getFirst().address();
    }

    int count() {
        int end = spots.stream().mapToInt(Spot::end).max().orElse(0);
        return end - address();
    }

    /**
     * Joins what lies side by side, or nearly: to read a few registers that nobody wants is cheaper
     * than to ask once more.
     *
     * @param gap so many of them at most
     * @param most how many registers one answer may have, where a device has room for few
     */
    static List<Block> join(Collection<Spot> spots, int gap, int most) {
        List<Block> blocks = new ArrayList<>();
        List<Spot> open = new ArrayList<>();
        int end = 0;
        for (Spot each : spots.stream().sorted(ORDER).toList()) {
            if (!open.isEmpty()) {
                Spot first = open.getFirst();
                boolean joins =
                        first.unit() == each.unit()
                                && first.table() == each.table()
                                && each.address() - end <= gap
                                && Math.max(end, each.end()) - first.address()
                                        <= room(first.table(), most);
                if (!joins) {
                    blocks.add(new Block(List.copyOf(open)));
                    open.clear();
                }
            }
            end = open.isEmpty() ? each.end() : Math.max(end, each.end());
            open.add(each);
        }
        if (!open.isEmpty()) {
            blocks.add(new Block(List.copyOf(open)));
        }
        return blocks;
    }

    private static int room(Table table, int registers) {
        return table.isBits() ? table.most() : Math.min(registers, table.most());
    }

    boolean canBeSplit() {
        return spots.size() > 1;
    }

    /**
     * In two: where the widest gap is, since a device need not have what lies between, and else in
     * the middle.
     */
    List<Block> split() {
        int at = spots.size() / 2;
        int widest = 0;
        for (int i = 1; i < spots.size(); i++) {
            int gap = spots.get(i).address() - spots.get(i - 1).end();
            if (gap > widest) {
                widest = gap;
                at = i;
            }
        }
        return List.of(new Block(spots.subList(0, at)), new Block(spots.subList(at, spots.size())));
    }
}
