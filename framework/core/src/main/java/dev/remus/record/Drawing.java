// SPDX-License-Identifier: Apache-2.0
package dev.remus.record;

import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * What tools draw of a {@link DrawnRecord}. A declaration about an array holds for the first word of each element. A
 * {@link RemoteRef} is a link without being declared.
 *
 * <p>The functions are called with all values that a word has had in a run, or that requests read or were to write
 * there. Memory that was never written has any contents, so they must accept every value.
 */
public interface Drawing {
    /**
     * The elements of arrays of equal length are the cells of a ring: cell i has element i of each array.
     *
     * @throws IllegalArgumentException if there is no array, or the lengths differ
     */
    Drawing ring(RemoteElements... columns);

    /** A word that counts positions on the ring: position p is in cell p modulo the number of cells. */
    Drawing position(RemoteLong word);

    /**
     * A word that encodes a pointer to a record of which threads have views.
     *
     * @param pointer the raw pointer in a value of the word; null if there is none, or if this view does not know it:
     *     then other views of the record are asked
     */
    Drawing link(RemoteField field, LongUnaryOperator pointer);

    /**
     * A word that encodes a pointer to a record of which no thread needs a view.
     *
     * @param pointer the raw pointer in a value of the word, null if there is none
     * @param target a view that has the fields of the record to which a value leads; it is not moved
     */
    Drawing link(RemoteField field, LongUnaryOperator pointer, LongFunction<? extends RecordView> target);

    /**
     * The same for a link from a node of a tree to a child: the target is drawn one row below.
     *
     * @param pointer the raw pointer in a value of the word, null if there is none
     * @param target a view that has the fields of the record to which a value leads; it is not moved
     */
    Drawing child(RemoteField field, LongUnaryOperator pointer, LongFunction<? extends RecordView> target);

    /**
     * How values of a word are shown: by a few words instead of a number, or after the name of the record to which a
     * link leads.
     *
     * @param words the text of a value; empty if it is shown as a number, or the link alone
     */
    Drawing text(RemoteField field, LongFunction<String> words);

    /**
     * A word that counts only while another word allows it. Otherwise it is drawn as unused, and leads nowhere.
     *
     * @param flag the other word
     * @param allows whether a value of the other word allows it
     */
    Drawing usedIf(RemoteLong field, RemoteLong flag, LongPredicate allows);
}
