"""The same as `methods`, faster or on worse samples: same steps or same enclosure, by a property test."""
