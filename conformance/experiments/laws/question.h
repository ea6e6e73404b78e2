/* question.h - a question that was asked, as a vector. */
#ifndef DLOC_LAWS_QUESTION_H
#define DLOC_LAWS_QUESTION_H

#include "trial.h"

/* Append it as YAML. head: the lines down to the level. with_keys: functions ask for key instructions although the
 * question has no atoms, as the world's do where the profile knows atoms. */
void question_write(const world *world, const question *q, bool with_keys, const char *head, const char *note,
                    dloc_buffer *out);

#endif
