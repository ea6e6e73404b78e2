/* Private to model/objects/dwarf: the embedded texts of a file. spec/hidden.md 18.2 */
#pragma once

#include "nodes/array.h"
#include "objects/dloc_symbolizer.h"
#include "nodes/metadata.h"

/* The facts about a text. */
typedef struct layer_text_state {
  bool used;    /* some file of a table is it */
  bool checked; /* the next three are known */
  bool is_its;
  size_t *starts; /* of its lines */
  size_t line_count;
  bool beyond_told;
} layer_text_state;

typedef struct layer_texts {
  ARRAY(dloc_embedded_text) items;
  ARRAY(layer_text_state) states; /* as many */
  uint32_t *by_name;              /* their numbers, in the order of kinds and hashes */
} layer_texts;

/* Whether a name is that of a table of a kind; *ret_kind is undefined when it is not. */
bool layer_table_name(dloc_text name, dloc_text *ret_kind);
/* Whether a name is that of a text's section: the kind and the hash that it tells. Neither is written when
 * it is not. */
bool layer_text_name(dloc_text name, dloc_text *ret_kind, dloc_text *ret_hash);
/* Whether a text begins with the name of a kind, in whatever letters. */
bool layer_kind_begins(dloc_text text, dloc_text kind);
dloc_status layer_texts_add(dloc_context *context, layer_texts *texts, dloc_text section, dloc_text bytes);
/* All are there: they can be found. */
dloc_status layer_texts_sort(dloc_context *context, layer_texts *texts);
/* The number of the text of a kind with that hash in its name, or DLOC_NO_TEXT. */
uint32_t layer_texts_find(const layer_texts *texts, dloc_text kind, dloc_text hash);
/* All names are known: each text's file has one. */
dloc_status layer_texts_name(dloc_context *context, layer_texts *texts);
/* A line, counted from 1, into *ret. *ret_reason: what is wrong and was not told yet, or DLOC_REASON_NONE. */
dloc_status layer_texts_line(dloc_context *context, const dloc_profile *profile, layer_texts *texts, uint32_t number,
                             uint32_t line, dloc_layer_text *ret_has, dloc_text *ret, dloc_reason *ret_reason);
void layer_texts_deinit(dloc_context *context, layer_texts *texts);

/* Whether a unit of the primary table, told by its number, is of a layer (`layer-lookup.merged`). */
bool layer_lines_merged(const dloc_layer_lines *lines, size_t unit);
/* A table with rows of a kind. */
typedef struct layer_rows {
  dloc_line_table *table;
  const uint32_t *texts; /* of each file of the table: the number of its text, from DLOC_NO_TEXT - 1 there is none */
} layer_rows;
/* The tables of a kind, from 0; false: there is none of that number. */
bool layer_lines_table(const dloc_layer_lines *lines, uint32_t kind, size_t number, layer_rows *ret);
/* The row that an address has in a kind; false: it has none. */
bool layer_lines_row(const dloc_layer_lines *lines, uint32_t kind, uint64_t address, layer_rows *ret, size_t *ret_row);
