"""Models as helpers: judges behind one interface, asked within a budget, measured by people."""
