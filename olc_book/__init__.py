"""What only the book needs: exercises, figures, explorers, listings, its texts."""
