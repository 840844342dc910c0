"""What a message is: a question about the past, a request, a statement worth keeping; rules over tables, pure."""
