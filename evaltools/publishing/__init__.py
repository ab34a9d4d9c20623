"""Taking figures and pictures elsewhere: charts as files, tables for papers, a report in one HTML file."""
