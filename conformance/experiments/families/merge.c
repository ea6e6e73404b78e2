/* merge.c - the vectors of `dloc gen merge`: questions of gen_merge.py, with the model's answers. */
#include "families.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "vector/complete.h"

#include <string.h>

/* Only the release makes built-in profiles differ about bare locations. The pick flag would change every
 * vector. */
static bool is_listed(void *user, dloc_choice choice) {
  const bool *layers = user;
  if (choice == DLOC_CHOICE_MERGE_RULES)
    return true;
  return *layers && choice != DLOC_CHOICE_MERGE_PICK && strncmp(dloc_choice_name(choice), "merge.", 6) == 0;
}

dloc_status family_of_merges(FILE *questions, bool layers, dloc_sink sink) {
  OWNED(completer_deinit) completer completer = {.lists = is_listed, .user = &layers, .traces = true};
  value_diagnostic diagnostic;
  dloc_status status = DLOC_OK;
  OWNED(memory_release) char *line = NULL;
  size_t room = 0;
  completer_init(&completer);
  for (ssize_t size, first = 1; status == DLOC_OK && (size = getline(&line, &room, questions)) > 0; first = 0) {
    if (!first && !sink.write(sink.user, "---\n", 4))
      status = DLOC_STOPPED;
    if (status == DLOC_OK)
      status = complete_vector(&completer, (dloc_text){line, (size_t)size}, &diagnostic, sink);
  }
  return status;
}
