/* spec/hidden.md 18.2: embedded texts, and their lines. */
#include "layer_texts.h"

#include "nodes/text.h"
#include "source.h"

#include <stdlib.h>

/* ---- Names ---- */

/* The hash in the name of a section. */
static dloc_text hash_of(dloc_text section) { return text_behind_last(section, "."); }

bool layer_text_name(dloc_text name, dloc_text *ret_kind, dloc_text *ret_hash) {
  const size_t size = strlen(".debug_txt.");
  if (name.size <= size || !text_begins(name, ".debug_txt."))
    return false;
  *ret_hash = hash_of(name);
  size_t behind = ret_hash->size + 1; /* with the dot */
  *ret_kind = (dloc_text){name.bytes + size, name.size > size + behind ? name.size - size - behind : 0};
  return true;
}

dloc_status layer_texts_add(dloc_context *context, layer_texts *texts, dloc_text section, dloc_text bytes) {
  dloc_text kind, hash;
  if (!layer_text_name(section, &kind, &hash))
    return DLOC_OK;
  if (texts->items.count >= DLOC_NO_TEXT)
    return DLOC_LIMIT;
  PUSH(context, texts->items, (dloc_embedded_text){.section = section, .kind = kind, .bytes = bytes});
  PUSH(context, texts->states, (layer_text_state){.used = false});
  return DLOC_OK;
}

/* `layer-lookup.text.several`: of equal names the first in the file is found. */
typedef struct named_text {
  dloc_text kind, hash;
  uint32_t number;
} named_text;

static int compare_names(named_text x, named_text y) {
  int order = dloc_text_compare(x.kind, y.kind);
  return order ? order : dloc_text_compare(x.hash, y.hash);
}

/* `layer-lookup.text.several` */
static int by_name(const void *a, const void *b) {
  const named_text *x = a, *y = b;
  int order = compare_names(*x, *y);
  return order ? order : ORDER(x->number, y->number);
}

static named_text name_of(const layer_texts *texts, uint32_t number) {
  const dloc_embedded_text *text = &texts->items.items[number];
  return (named_text){text->kind, hash_of(text->section), number};
}

dloc_status layer_texts_sort(dloc_context *context, layer_texts *texts) {
  const size_t count = texts->items.count;
  ALLOCATE(context, named_text, sorted, count + 1);
  OWNED_MEMORY(context, &sorted);
  ALLOCATE_ITEMS(context, texts->by_name, count + 1);
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = name_of(texts, i);
  qsort(sorted, count, sizeof *sorted, by_name);
  for (size_t i = 0; i < count; i++)
    texts->by_name[i] = sorted[i].number;
  return DLOC_OK;
}

uint32_t layer_texts_find(const layer_texts *texts, dloc_text kind, dloc_text hash) {
  const named_text wanted = {kind, hash, 0};
  BISECT(place, 0, texts->items.count, i, compare_names(name_of(texts, texts->by_name[i]), wanted) < 0);
  const named_text found = place < texts->items.count ? name_of(texts, texts->by_name[place]) : wanted;
  return place < texts->items.count && compare_names(found, wanted) == 0 ? found.number : DLOC_NO_TEXT;
}

/* ---- Names of files ---- */

/* `KIND.HASH` of `.debug_txt.KIND.HASH` */
static dloc_text by_hash_of(const dloc_embedded_text *text) {
  const size_t before = (size_t)(text->kind.bytes - text->section.bytes);
  return (dloc_text){text->kind.bytes, text->section.size - before};
}

/* 18.4: what a text's file may be called: the last part of its name, unless that is none, or could be `KIND.HASH`. */
static dloc_text file_name_of(const dloc_embedded_text *text) {
  const dloc_text by_hash = by_hash_of(text);
  const dloc_text last = text_behind_last(text->name, "/");
  const size_t kind = text->kind.size + 1;
  bool is_none = !last.size || dloc_text_equal(last, dloc_text_of(".")) || dloc_text_equal(last, dloc_text_of(".."));
  return is_none || (last.size >= kind && memcmp(last.bytes, by_hash.bytes, kind) == 0) ? by_hash : last;
}

/* 18.4 */
static int by_file_name(const void *a, const void *b) {
  const dloc_embedded_text *const *x = a, *const *y = b;
  int order = dloc_text_compare((*x)->kind, (*y)->kind);
  return order ? order : dloc_text_compare((*x)->file, (*y)->file);
}

/* 18.4: texts of one kind that would have one name have none. */
dloc_status layer_texts_name(dloc_context *context, layer_texts *texts) {
  const size_t count = texts->items.count;
  ALLOCATE(context, dloc_embedded_text *, sorted, count + 1);
  OWNED_MEMORY(context, &sorted);
  for (size_t i = 0; i < count; i++) {
    sorted[i] = &texts->items.items[i];
    sorted[i]->file = file_name_of(sorted[i]);
  }
  qsort(sorted, count, sizeof *sorted, by_file_name);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && by_file_name(&sorted[i], &sorted[end]) == 0;)
      end++;
    for (size_t j = i; end > i + 1 && j < end; j++)
      sorted[j]->file = by_hash_of(sorted[j]);
  }
  return DLOC_OK;
}

/* ---- Lines ---- */

/* `layer-lookup.text.line`: a line begins at the start and behind each line feed but one at the end. */
static dloc_status split(dloc_context *context, dloc_text text, layer_text_state *state) {
  for (int pass = 0; pass < 2; pass++) {
    size_t count = 0;
    for (size_t at = 0; at < text.size; count++) {
      if (state->starts)
        state->starts[count] = at;
      const char *end = memchr(text.bytes + at, '\n', text.size - at);
      at = end ? (size_t)(end - text.bytes) + 1 : text.size;
    }
    state->line_count = count;
    if (!state->starts && !(state->starts = context_realloc(context, NULL, (count + 1) * sizeof *state->starts)))
      return DLOC_NO_MEMORY;
  }
  return DLOC_OK;
}

/* `layer-lookup.text.hash` */
static bool is_its(const dloc_profile *profile, const dloc_embedded_text *text) {
  char md5[33];
  return DLOC_TAKES(profile, LAYER_LOOKUP_TEXT_HASH, TRUSTED) ||
         dloc_text_equal(source_digest(&text->bytes, 1, md5), hash_of(text->section));
}

static dloc_text line_of(dloc_text text, const layer_text_state *state, uint32_t line) {
  size_t start = state->starts[line - 1], end = line < state->line_count ? state->starts[line] : text.size;
  end -= end > start && text.bytes[end - 1] == '\n';
  end -= end > start && text.bytes[end - 1] == '\r';
  return (dloc_text){text.bytes + start, end - start};
}

dloc_status layer_texts_line(dloc_context *context, const dloc_profile *profile, layer_texts *texts, uint32_t number,
                             uint32_t line, dloc_layer_text *ret_has, dloc_text *ret, dloc_reason *ret_reason) {
  const dloc_embedded_text *text = &texts->items.items[number];
  layer_text_state *state = &texts->states.items[number];
  *ret_reason = DLOC_REASON_NONE;
  if (!state->checked) {
    TRY(split(context, text->bytes, state));
    state->is_its = is_its(profile, text);
    state->checked = true;
    *ret_reason = state->is_its ? DLOC_REASON_NONE : DLOC_REASON_LAYER_LOOKUP_TEXT_HASH;
  }
  if (!state->is_its) {
    *ret_has = DLOC_LAYER_TEXT_NOT_ITS;
  } else if (line > state->line_count) { /* `layer-lookup.text.beyond` */
    *ret_has = DLOC_LAYER_TEXT_BEYOND;
    *ret_reason = state->beyond_told ? DLOC_REASON_NONE : DLOC_REASON_LAYER_LOOKUP_TEXT_BEYOND;
    state->beyond_told = true;
  } else {
    *ret_has = DLOC_LAYER_TEXT_LINE;
    *ret = line_of(text->bytes, state, line);
  }
  return DLOC_OK;
}

void layer_texts_deinit(dloc_context *context, layer_texts *texts) {
  for (size_t i = 0; i < texts->states.count; i++)
    context_free(context, texts->states.items[i].starts);
  CONTEXT_FREE(context, texts->items.items, texts->states.items, texts->by_name);
}
