/* try.h - hand a failure on to the caller. */
#ifndef DLOC_TRY_H
#define DLOC_TRY_H

#define TRY(expression)                                                                                                \
  do {                                                                                                                 \
    dloc_status try_status = (expression);                                                                             \
    if (try_status != DLOC_OK)                                                                                         \
      return try_status;                                                                                               \
  } while (0)

#endif
