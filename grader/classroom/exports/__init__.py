"""What other systems read: one module for each family of formats."""
