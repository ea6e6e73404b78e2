/* try.h - hand a failure on to the caller. */
#pragma once

#define TRY(expression)                                                                                                \
  do {                                                                                                                 \
    dloc_status try_status = (expression);                                                                             \
    if (try_status != DLOC_OK)                                                                                         \
      return try_status;                                                                                               \
  } while (0)
