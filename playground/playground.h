/* playground.h - what the playground has beside the commands of `dloc`. Each reads standard input. */
#pragma once

/* A vector as JSON: what it expects and what the model answers, under the profile and under others, as JSON. */
int playground_vector(int argc, char **argv);
/* Vectors as JSON Lines: a line with the answer to each, as an adapter sends it. */
int playground_answer(int argc, char **argv);
/* A vector with a module: the module's text. */
int playground_module(int argc, char **argv);
