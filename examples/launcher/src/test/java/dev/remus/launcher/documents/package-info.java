/** Compares what the documents name, count and quote with the programs. */
package dev.remus.launcher.documents;
