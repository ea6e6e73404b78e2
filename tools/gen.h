/* gen.h - the families of `dloc gen`, one file each. argv[0] is the name that messages use, as for a command. */
#ifndef DLOC_TOOLS_GEN_H
#define DLOC_TOOLS_GEN_H

int gen_merge(int argc, char **argv);
int gen_random(int argc, char **argv);
int gen_pairwise(int argc, char **argv);
int gen_lit(int argc, char **argv);

#endif
