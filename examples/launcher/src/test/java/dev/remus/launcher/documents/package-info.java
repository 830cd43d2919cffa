// SPDX-License-Identifier: Apache-2.0
/** Tests that compare names, counts and quotations in the documents with the programs. */
package dev.remus.launcher.documents;
