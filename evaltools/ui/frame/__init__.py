"""What stands around every page: the server, navigation, sidebar and style."""
