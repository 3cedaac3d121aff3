"""The report on a class as one page of HTML that needs nothing but itself."""
