/** How tests wait for what takes a moment. */
package dev.remus.await;
