"""Engines that grade a class on other machines."""
