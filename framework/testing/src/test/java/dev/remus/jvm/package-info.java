/** What makes the Java VMs that tests start cheaper. */
package dev.remus.jvm;
