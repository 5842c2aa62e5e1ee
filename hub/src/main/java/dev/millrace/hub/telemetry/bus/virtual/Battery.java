package dev.millrace.hub.telemetry.bus.virtual;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/**
 * A battery with its inverter. By itself it charges and discharges in turns; as soon as somebody
 * orders a power, that is what it does, as far as its charge allows. Power is positive when it
 * discharges.
 */
final class Battery implements Part {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double RAMP_KW_PER_SECOND = 0.25;
    private static final double AMBIENT = 22;
    private static final double WARMER_AT_MOST = 20;
    private static final double WARMING_SECONDS = 60;
    private static final double EMPTY_VOLTS = 660;
    private static final double FULL_VOLTS = 780;
    private static final double INNER_VOLTS = 15;
    private static final double PERCENT = 100;

    private final double capacity;
    private final double strongest;
    private final double cycle;
    private final double speed;
    private double charge;
    private double power;
    private double temperature = AMBIENT;
    private double setpoint = Double.NaN;
    private boolean enabled = true;

    Battery(JsonNode parameters) {
        this.capacity = Members.number(parameters, "capacity_kwh", 100);
        this.strongest = Members.number(parameters, "max_kw", 50);
        this.cycle = Members.number(parameters, "cycle_s", 600);
        this.speed = Members.number(parameters, "speed", 1);
        this.charge = Members.number(parameters, "soc", 50) / PERCENT * capacity;
    }

    @Override
    public void advance(double seconds, double by) {
        double goal =
                Double.isNaN(setpoint)
                        ? 0.9 * strongest * Math.sin(2 * Math.PI * seconds / cycle)
                        : setpoint;
        boolean cannot = (goal > 0 && charge <= 0) || (goal < 0 && charge >= capacity);
        goal = enabled && !cannot ? Math.clamp(goal, -strongest, strongest) : 0;
        double most = strongest * RAMP_KW_PER_SECOND * by;
        power += Math.clamp(goal - power, -most, most);
        charge = Math.clamp(charge - power * by * speed / SECONDS_PER_HOUR, 0, capacity);
        double warm = AMBIENT + WARMER_AT_MOST * Math.abs(power) / strongest;
        temperature += (warm - temperature) * Math.min(1, by / WARMING_SECONDS);
    }

    @Override
    public Set<String> outputs() {
        return Set.of(
                "soc", "power", "voltage", "current", "temperature", "state", "enabled", "full");
    }

    @Override
    public Set<String> inputs() {
        return Set.of("setpoint", "enable");
    }

    private double voltage() {
        return EMPTY_VOLTS
                + (FULL_VOLTS - EMPTY_VOLTS) * charge / capacity
                - INNER_VOLTS * power / strongest;
    }

    @Override
    public double output(String name) {
        return switch (name) {
            case "soc" -> charge / capacity * PERCENT;
            case "power" -> power;
            case "voltage" -> voltage();
            case "current" -> power * 1000 / voltage();
            case "temperature" -> temperature;
            case "state" -> Math.abs(power) < strongest / PERCENT ? 0 : power < 0 ? 1 : 2;
            case "enabled" -> enabled ? 1 : 0;
            case "full" -> charge >= capacity * 0.99 ? 1 : 0;
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public void input(String name, double value) {
        if (name.equals("enable")) {
            enabled = value != 0;
        } else {
            setpoint = value;
        }
    }
}
