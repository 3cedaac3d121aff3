"""What other systems read: a function from a sheet to text for each format."""
