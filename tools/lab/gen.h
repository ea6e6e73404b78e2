/* gen.h - a family of `dloc gen` in a file of its own. argv[0] is the name that messages use, as for a command. */
#pragma once

int gen_lit(int argc, char **argv);
