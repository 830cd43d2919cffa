/** What tests of the sources themselves have in common. */
package dev.remus.source;
