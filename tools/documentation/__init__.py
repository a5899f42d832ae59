"""The documentation site: pages collected and generated, built by Zensical, and checked."""
