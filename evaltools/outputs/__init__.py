"""A run for readers: tables as text, JSON, CSV and LaTeX, HTML, official layouts, pictures, notebooks."""
