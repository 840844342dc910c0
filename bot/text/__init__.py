"""Letters and words without meaning: cleaning, normal forms, sentences, patterns, links; pure."""
