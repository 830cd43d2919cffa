// SPDX-License-Identifier: Apache-2.0
package dev.remus.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter;
import java.io.IOException;

/**
 * A text that has to be one JSON value and nothing else.
 *
 * @param text the text
 */
public record JsonText(String text) {
    /** @throws IllegalArgumentException if it is not */
    public JsonText {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            json.nextToken();
            json.skipChildren();
            if (json.currentToken() == null || json.nextToken() != null) {
                throw new IllegalArgumentException("not one JSON value: " + text);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }

    /**
     * A text, number, truth value or null, as it is written.
     *
     * @param pointer where, such as {@code /scenarios/0/name}
     */
    public String at(String pointer) throws IOException {
        try (JsonParser json = new FilteringParserDelegate(
                new JsonFactory().createParser(text),
                new JsonPointerBasedFilter(pointer),
                TokenFilter.Inclusion.ONLY_INCLUDE_ALL,
                false)) {
            if (json.nextToken() == null) {
                throw new IllegalArgumentException("nothing at " + pointer + " in " + text);
            }
            return json.getText();
        }
    }
}
