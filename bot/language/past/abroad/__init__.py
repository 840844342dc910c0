"""How German, French and Spanish messages ask about the past; rules are data, a module a language."""
