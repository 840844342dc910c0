"""The words of requests to remember and to forget in languages other than English, a file a language."""
