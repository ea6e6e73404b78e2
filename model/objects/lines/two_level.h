/* Private to model/: two-level line tables. spec/lines.md, chapter 15. */
#ifndef DLOC_LINES_TWO_LEVEL_H
#define DLOC_LINES_TWO_LEVEL_H

#include "machine.h"

/* An instruction that only two-level tables have, or one that is not known. */
dloc_status two_level_execute(line_machine *m, const dloc_line_instruction *instruction, dloc_reason *ret_reason);
/* The machine of the actuals that stand for these logicals, those of a unit; dialect ISSUE or LOGICALS becomes that of
 * the actuals in *parameters, which the machine keeps. */
line_machine two_level_actuals(const dloc_profile *profile, dloc_line_parameters *parameters, const dloc_row *logicals,
                               size_t count, dloc_rows *rows);
/* `two-level.unused`, `two-level.single`: when both programs have run. The unit's rows begin there; actuals may be
 * NULL. */
void two_level_settle(const dloc_profile *profile, const dloc_line_parameters *parameters, dloc_rows *logicals,
                      size_t first_logical, dloc_rows *actuals, size_t first_actual);

#endif
