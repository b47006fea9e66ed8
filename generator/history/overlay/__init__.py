"""The overlay: what a hub's operator decides about skills, whatever their authors publish."""
