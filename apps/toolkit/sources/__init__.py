"""Attachments: taken in, read in a limited process, found again by their words, cited."""
