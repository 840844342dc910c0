"""One question and its answer: recorded, answered by a rule, by recall or by the model, shown, closed."""
