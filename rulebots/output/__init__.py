"""What people look at: tables, pictures, drawings of positions."""
