/* try.h - hand a failure on to the caller, and release what is held on the way. */
#pragma once

#define TRY(expression)                                                                                                \
  do {                                                                                                                 \
    dloc_status try_status = (expression);                                                                             \
    if (try_status != DLOC_OK)                                                                                         \
      return try_status;                                                                                               \
  } while (0)

/* What a variable holds is released where its scope ends, on every path: `OWNED(dloc_buffer_deinit) dloc_buffer text =
 * {0};`. OWNER says it of a pointer: `OWNED(release_dloc_module) dloc_module *module = NULL;`. */
#define OWNED(release) __attribute__((cleanup(release)))
#define OWNER(type)                                                                                                    \
  static inline void release_##type(type **owned) { type##_destroy(*owned); }

/* The end of a function that makes something: the caller gets it, unless it could not be made. */
#define RETURN_MADE(status, made, destroy, ret)                                                                        \
  do {                                                                                                                 \
    dloc_status made_status = (status);                                                                                \
    if (made_status == DLOC_OK)                                                                                        \
      *(ret) = (made);                                                                                                 \
    else                                                                                                               \
      destroy(made);                                                                                                   \
    return made_status;                                                                                                \
  } while (0)
