/* What is compiled where the headers alone are wanted: nothing. */
