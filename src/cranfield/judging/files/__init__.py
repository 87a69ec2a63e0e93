"""Files of judgments: the formats that they are exported to and imported from."""
