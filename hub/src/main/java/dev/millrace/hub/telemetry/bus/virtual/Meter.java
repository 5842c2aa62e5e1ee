package dev.millrace.hub.telemetry.bus.virtual;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.Set;

/**
 * A meter where the site meets the grid: what its load takes, less what the sun gives and the
 * battery beside it, if there is one. Power is positive when it is bought.
 */
final class Meter implements Part {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double NOMINAL_VOLTS = 230;
    private static final double NOMINAL_HERTZ = 50;

    private final long seed;
    private final double load;
    private final double sun;
    private final double day;
    private final double wander;
    private final double speed;
    private final Optional<Battery> battery;
    private double limit = Double.POSITIVE_INFINITY;
    private double now;
    private double bought;
    private double sold;

    Meter(JsonNode parameters, long seed, Optional<Battery> battery) {
        this.seed = seed;
        this.battery = battery;
        this.load = Members.number(parameters, "load_kw", 40);
        this.sun = Members.number(parameters, "pv_kw", 30);
        this.day = Members.number(parameters, "day_s", 86_400);
        this.wander = Members.number(parameters, "load_period_s", 30);
        this.speed = Members.number(parameters, "speed", 1);
    }

    @Override
    public void advance(double seconds, double by) {
        now = seconds;
        double hours = by * speed / SECONDS_PER_HOUR;
        bought += Math.max(0, power()) * hours;
        sold += Math.max(0, -power()) * hours;
    }

    private double load() {
        return Math.min(limit, load * (0.5 + Chance.smooth(seed, now, wander)));
    }

    private double sun() {
        double height = -Math.cos(2 * Math.PI * now / day);
        double clouds = 0.7 + 0.3 * Chance.smooth(seed + 1, now, wander);
        return Math.max(0, height) * sun * clouds;
    }

    private double power() {
        return load() - sun() - battery.map(each -> each.output("power")).orElse(0.0);
    }

    @Override
    public Set<String> outputs() {
        return Set.of("power", "load", "pv", "voltage", "frequency", "bought", "sold", "exporting");
    }

    @Override
    public Set<String> inputs() {
        return Set.of("load_limit");
    }

    @Override
    public double output(String name) {
        return switch (name) {
            case "power" -> power();
            case "load" -> load();
            case "pv" -> sun();
            case "voltage" -> NOMINAL_VOLTS + 4 * Chance.smooth(seed + 2, now, wander) - 2;
            case "frequency" -> NOMINAL_HERTZ + 0.1 * Chance.smooth(seed + 3, now, wander) - 0.05;
            case "bought" -> bought;
            case "sold" -> sold;
            case "exporting" -> power() < 0 ? 1 : 0;
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public void input(String name, double value) {
        limit = Math.max(0, value);
    }
}
