package dev.millrace.hub.rules.logic;

import com.google.api.expr.v1alpha1.Decl;

import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.tools.Script;
import org.projectnessie.cel.tools.ScriptException;
import org.projectnessie.cel.tools.ScriptHost;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What CEL makes of expressions. It takes some 20 KB each, and a plant has the same few formulas on
 * thousands of points, so expressions of one shape share it. Thread-safe.
 */
final class Scripts {
    private static final ScriptHost HOST = ScriptHost.newBuilder().build();
    private static final int MOST = 1000;

    private static final Map<String, Script> KNOWN =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Script> eldest) {
                    return size() > MOST;
                }
            };

    private Scripts() {}

    static Script of(Translation translation) throws ScriptException {
        synchronized (KNOWN) {
            Script known = KNOWN.get(translation.cel());
            if (known != null) {
                return known;
            }
        }
        List<Decl> variables = new ArrayList<>();
        for (String each : translation.names().keySet()) {
            variables.add(Decls.newVar(each, Decls.Dyn));
        }
        for (String each : translation.numbers().keySet()) {
            variables.add(Decls.newVar(each, Decls.Dyn));
        }
        Script made =
                HOST.buildScript(translation.cel())
                        .withDeclarations(variables)
                        .withLibraries(Functions.LIBRARY)
                        .build();
        synchronized (KNOWN) {
            Script other = KNOWN.putIfAbsent(translation.cel(), made);
            return other == null ? made : other;
        }
    }
}
