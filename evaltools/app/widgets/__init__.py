"""What pages are put together from: pickers, tables to choose from, charts, and files to save."""
