"""The kit as a site of static files: lessons, search, the map of the tracks, figures. It needs no network and no server."""
