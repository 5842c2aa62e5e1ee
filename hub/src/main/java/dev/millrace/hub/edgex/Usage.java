package dev.millrace.hub.edgex;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/**
 * What the process uses, in the words of EdgeX.
 *
 * @param cpuBusyAvg how busy the processors of the machine are, in percent
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record Usage(@JsonProperty("Memory") Memory memory, @JsonProperty("CpuBusyAvg") double cpuBusyAvg) {

    /**
     * Bytes in use, allocated since the start, and taken from the machine. Objects are counted as
     * 0: the virtual machine counts bytes, and to count its objects it would have to stop.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Memory(
            @JsonProperty("Alloc") long alloc,
            @JsonProperty("TotalAlloc") long totalAlloc,
            @JsonProperty("Sys") long sys,
            @JsonProperty("Mallocs") long mallocs,
            @JsonProperty("Frees") long frees,
            @JsonProperty("LiveObjects") long liveObjects) {}

    static Usage now() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        OperatingSystemMXBean machine =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double busy = machine.getCpuLoad();
        return new Usage(
                new Memory(
                        memory.getHeapMemoryUsage().getUsed(),
                        threads.getTotalThreadAllocatedBytes(),
                        memory.getHeapMemoryUsage().getCommitted()
                                + memory.getNonHeapMemoryUsage().getCommitted(),
                        0,
                        0,
                        0),
                // Not a number, or less than 0, where the machine does not tell.
                busy > 0 ? 100 * busy : 0);
    }
}
