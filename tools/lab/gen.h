/* gen.h - a family of `dloc gen` in a file of its own. argv[0] is the name that messages use, as for a command. */
#ifndef DLOC_TOOLS_GEN_H
#define DLOC_TOOLS_GEN_H

int gen_lit(int argc, char **argv);

#endif
