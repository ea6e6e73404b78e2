/* mlir.h - the actions of `dloc mlir`; argv[0] is the action's name. */
#pragma once

int mlir_ids(int argc, char **argv);
int mlir_primary(int argc, char **argv);
int mlir_join(int argc, char **argv);
/* No action: its first operand is a program. */
int mlir_lower(int argc, char **argv);
