/* evidence.c - reading CONFIRMED and DERIVED. */
#include "evidence.h"

#include "document/memory.h"
#include "document/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- CONFIRMED ---- */

/* What stands before the next blank or the end, and the blank after it, taken off the text. */
static dloc_text take_word(dloc_text *text) {
  const char *end = text->size ? memchr(text->bytes, ' ', text->size) : NULL;
  size_t size = end ? (size_t)(end - text->bytes) : text->size;
  dloc_text word = {text->bytes, size};
  size += end != NULL;
  *text = (dloc_text){text->bytes + size, text->size - size};
  return word;
}

static bool read_line(dloc_text text, uint32_t number, evidence_line *ret) {
  ret->id = take_word(&text);
  ret->digest = take_word(&text);
  ret->llvms = text;
  ret->line = number;
  return ret->id.size && ret->digest.size == 32 && ret->llvms.size;
}

static int compare_lines(const void *a, const void *b) {
  return text_compare(((const evidence_line *)a)->id, ((const evidence_line *)b)->id);
}

static void read_confirmed(evidence *e) {
  dloc_text rest = e->confirmed.text;
  for (uint32_t number = 1; rest.size; number++) {
    if (!read_line(text_take_line(&rest), number, MEMORY_ADD(e->lines, e->count))) {
      fprintf(stderr, "%s:%lu:1: error: the line is no id, digest and names of LLVMs [vector.evidence]\n",
              e->confirmed.name, (unsigned long)number);
      tool_exit(TOOL_UNUSABLE);
    }
  }
  if (e->count)
    qsort(e->lines, e->count, sizeof *e->lines, compare_lines);
}

dloc_text evidence_llvms(const evidence *e, dloc_text id, dloc_text digest) {
  const evidence_line key = {.id = id};
  const evidence_line *line = e->count ? bsearch(&key, e->lines, e->count, sizeof key, compare_lines) : NULL;
  return line && dloc_text_equal(line->digest, digest) ? line->llvms : (dloc_text){"", 0};
}

/* ---- DERIVED ---- */

static void read_derived(evidence *e) {
  uint32_t line = 0;
  const char *message = NULL;
  if (expected_read(e->derived.text, &line, &message, &e->derivations) == DLOC_OK)
    return;
  fprintf(stderr, "%s:%lu:1: error: %s [vector.evidence]\n", e->derived.name, (unsigned long)line, message);
  tool_exit(TOOL_UNUSABLE);
}

dloc_text evidence_derivation(evidence *e, dloc_text id) {
  const expected_entry *entry = expected_find(&e->derivations, dloc_profile_at(0), id);
  return entry ? entry->reason : (dloc_text){"", 0};
}

/* ---- Both ---- */

/* False when there is no such file. */
static bool open_file(const char *path, tool_input *ret) {
  if (access(path, F_OK) != 0)
    return false;
  if (!tool_input_open(path, ret))
    tool_exit(TOOL_UNUSABLE);
  return true;
}

void evidence_open(const char *folder, evidence *ret) {
  *ret = (evidence){.present = false};
  snprintf(ret->confirmed_path, sizeof ret->confirmed_path, "%s/CONFIRMED", folder);
  snprintf(ret->derived_path, sizeof ret->derived_path, "%s/DERIVED", folder);
  ret->present = open_file(ret->confirmed_path, &ret->confirmed);
  if (ret->present)
    read_confirmed(ret);
  if (ret->present && open_file(ret->derived_path, &ret->derived))
    read_derived(ret);
}

void evidence_close(evidence *e) {
  expected_deinit(&e->derivations);
  free(e->lines);
  if (e->confirmed.name)
    tool_input_close(&e->confirmed);
  if (e->derived.name)
    tool_input_close(&e->derived);
}
