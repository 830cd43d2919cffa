// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools.report;

import dev.remus.tools.plot.Figure;
import dev.remus.tools.plot.NoFontsException;
import java.io.IOException;

/** A self-contained HTML page without scripts or network access, in dark or light colours and for any screen width. */
final class Html {
    private static final String STYLE = """
            :root { color-scheme: light dark; --paper: #fff; --ink: #1d232a; --soft: #5c6773; --line: #dde2e7; --good: #1a7f45;
              --bad: #c0362c; }
            @media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #e4e8ec; --soft: #9aa5b1; --line: #2f3741;
              --good: #5cc98a; --bad: #ff7b6e; } }
            * { box-sizing: border-box; }
            body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
              font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
            h1 { font-size: 1.6rem; margin: 0 0 .25rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
            p { margin: .25rem 0; } .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
            code { font: .85em/1.5 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
            .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .75rem; margin: 1.25rem 0; }
            .figure { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
            .figure b { display: block; font-size: 1.35rem; font-weight: 600; line-height: 1.25; } .figure span { color: var(--soft); font-size: .85rem; }
            .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1.5rem; }
            section { min-width: 0; margin: 0 0 .5rem; } svg { width: 100%; height: auto; display: block; }
            @CHARTS@
            details { border-top: 1px solid var(--line); padding: .6rem 0; } summary { cursor: pointer; font-weight: 600; }
            .scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
            th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
            td.n, th.n { text-align: right; white-space: nowrap; } td.best { color: var(--good); font-weight: 600; }
            .wrap td { overflow-wrap: anywhere; } .below { margin-top: 1.5rem; }
            """;

    private final StringBuilder body = new StringBuilder();
    private final String title;

    Html(String title) {
        this.title = title;
    }

    /** Adds markup unchanged. */
    Html raw(String markup) {
        body.append(markup).append('\n');
        return this;
    }

    /** Adds an element around a text. */
    Html text(String element, String text) {
        return raw("<" + element + ">" + Text.escape(text) + "</" + element.split(" ")[0] + ">");
    }

    /** Adds a large figure with its name. */
    Html figure(String value, String name) {
        return raw(
                "<div class=\"figure\"><b>" + Text.escape(value) + "</b><span>" + Text.escape(name) + "</span></div>");
    }

    /** Adds a chart below its title. On a machine without fonts it is a sentence that names what is missing. */
    Html chart(Figure chart) throws IOException {
        raw("<section><h2>" + Text.escape(chart.title()) + "</h2>");
        try {
            raw(chart.toSvg());
        } catch (NoFontsException e) {
            text("p", String.valueOf(e.getMessage()));
        }
        return raw("</section>");
    }

    @Override
    public String toString() {
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
                + Text.escape(title)
                + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n"
                + STYLE.replace("@CHARTS@", Figure.pageStyle("var(--ink)", "var(--line)", "var(--paper)"))
                + "</style>\n</head>\n<body>\n"
                + body
                + "</body>\n</html>\n";
    }
}
