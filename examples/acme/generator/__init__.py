"""Makes the example company acme: the story, its bill, and the figures to check a report by."""
