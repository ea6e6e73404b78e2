/* Rows of dloc_mlir.h. */
#include "contract.h"
#include "objects/dloc_mlir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char snapshots[] =
    "#a = loc(\"a.py\":1:2)\n#b = loc(fused[#a, \"scf\"(\"s.mlir\":3:4)])\nmodule {} loc(#b)\n";

static dloc_status read_mlir(world *w, const char *mlir, dloc_mlir **ret) {
  dloc_diagnostic diagnostic;
  return dloc_mlir_read(w->context, dloc_text_of(mlir), &diagnostic, ret);
}
static dloc_status keep_no_mlir(world *w, const char *mlir, void *ret) {
  MADE(read_mlir(w, mlir, ret), dloc_mlir_destroy(*(dloc_mlir **)ret));
}
CALL(dloc_mlir_read) { return keep_no_mlir(w, wrong ? "module {} loc(#c)" : snapshots, ret); }
static dloc_status mean(world *w, dloc_mlir *mlir, void *ret) {
  const dloc_text tag = dloc_text_of("scf");
  const dloc_mlir_options options = {.tags = &tag, .tag_count = 1, .stand_in = node_of(w, SUBPROGRAM)};
  MADE(dloc_mlir_mean(w->context, mlir, &options, ret), dloc_mlir_meaning_destroy(*(dloc_mlir_meaning **)ret));
}
static dloc_status with_mlir(world *w, dloc_status (*call)(world *w, dloc_mlir *mlir, void *ret), void *ret) {
  dloc_mlir *mlir = NULL;
  dloc_status status = read_mlir(w, snapshots, &mlir);
  if (status == DLOC_OK)
    status = call(w, mlir, ret);
  dloc_mlir_destroy(mlir);
  return status;
}
MEMORY_CALL(dloc_mlir_mean) { return with_mlir(w, mean, ret); }
MEMORY_CALL(dloc_mlir_ops_create) {
  MADE(dloc_mlir_ops_create(w->context, dloc_text_of(snapshots), ret), dloc_mlir_ops_destroy(*(dloc_mlir_ops **)ret));
}

static const contract_row rows[] = {
    ROW(dloc_mlir_read),
    MEMORY_ROW(dloc_mlir_mean),
    MEMORY_ROW(dloc_mlir_ops_create),
};
const contract_rows contract_of_mlir = {rows, sizeof rows / sizeof *rows};
