"""Second opinions: other people's provers on what certificates state. The verdict never depends on them."""
