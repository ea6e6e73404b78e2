/* Names of C++ and Rust for people, by libiberty. */
#include "document/buffer.h"
#include "symbolize.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

/* A short name may stand for a text without end: each part of it may be the whole before it, twice. */
enum { MOST_TEXT = 1 << 16 };

typedef struct demangling {
  dloc_buffer *text;
  jmp_buf too_long;
} demangling;

static void take_part(const char *part, size_t size, void *user) {
  demangling *d = user;
  if (size > MOST_TEXT - d->text->size)
    longjmp(d->too_long, 1);
  buffer_put(d->text, (dloc_text){part, size});
}

static bool demangle(const char *name, dloc_buffer *text) {
  enum { HOW = DMGL_PARAMS | DMGL_ANSI };
  demangling d = {.text = text};
  return setjmp(d.too_long) == 0 &&
         (rust_demangle_callback(name, HOW, take_part, &d) || cplus_demangle_v3_callback(name, HOW, take_part, &d));
}

dloc_text symbolize_demangle(dloc_text name, dloc_buffer *text) {
  bool is_mangled = name.size > 2 && name.bytes[0] == '_' && (name.bytes[1] == 'Z' || name.bytes[1] == 'R');
  OWNED(memory_release) char *copy = is_mangled ? memory_copy(name) : NULL;
  text->size = 0;
  bool done = is_mangled && demangle(copy, text);
  return done ? buffer_text(text) : name;
}
