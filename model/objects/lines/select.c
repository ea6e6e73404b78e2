/* spec/hidden.md 18.4: the rows of a layer as rows of the program's own table. */
#include "machine.h"

#include "nodes/metadata.h"

typedef struct selecting {
  const dloc_profile *profile;
  const dloc_selected *of;
  dloc_select_take *take;
  void *user;
  size_t start, function, row; /* the next of each that is behind the address */
  uint64_t end;
  bool any;            /* there is a row */
  bool wants_prologue; /* the next row with a line ends the prologue */
  dloc_row last;
  dloc_row entry; /* line 0: nothing is in its place */
} selecting;

static dloc_status place_at(const selecting *s, uint64_t address, dloc_row *ret) {
  *ret = (dloc_row){.address = address, .file = s->any ? s->last.file : 1};
  return s->of->place(s->of->user, address, ret);
}

/* `select.entry`: the first place that the layer has in the function that begins there. */
static dloc_status find_entry(selecting *s, dloc_row *row) {
  const uint64_t until = s->function < s->of->function_count && s->of->functions[s->function] < s->end
                             ? s->of->functions[s->function]
                             : s->end;
  for (size_t i = s->start; !row->line && i < s->of->start_count && s->of->starts[i] < until; i++)
    TRY(place_at(s, s->of->starts[i], row));
  s->entry = *row;
  return DLOC_OK;
}

/* `select.row`, `select.none`, `select.repeat`, `select.statement`, `select.prologue` */
static dloc_status add_row(selecting *s, dloc_row row, bool forced) {
  const bool same = s->any && row.line == s->last.line && row.file == s->last.file && row.column == s->last.column;
  if (same && !forced)
    return DLOC_OK;
  row.flags = row.line ? DLOC_ROW_IS_STMT : 0;
  if (row.line && s->wants_prologue) {
    row.flags |= DLOC_ROW_PROLOGUE_END;
    s->wants_prologue = false;
  }
  s->last = row;
  s->any = true;
  return s->take(s->user, &row);
}

/* `select.row`: what begins at an address; a function; the row at which the primary's prologue ends. */
static dloc_status select_at(selecting *s, uint64_t address) {
  dloc_row row;
  bool is_function = false, is_prologue = false;
  for (; s->function < s->of->function_count && s->of->functions[s->function] <= address; s->function++)
    is_function = is_function || s->of->functions[s->function] == address;
  for (; s->row < s->of->count && s->of->rows[s->row].address <= address; s->row++)
    is_prologue = is_prologue || s->of->rows[s->row].flags & DLOC_ROW_PROLOGUE_END;
  while (s->start < s->of->start_count && s->of->starts[s->start] <= address)
    s->start++;
  TRY(place_at(s, address, &row));
  if (is_function)
    s->entry.line = 0;
  if (is_function && !row.line && DLOC_TAKES(s->profile, SELECT_ENTRY, FIRST))
    TRY(find_entry(s, &row));
  else if (row.line)
    s->entry.line = 0;
  else if (s->entry.line)
    row = s->entry;
  row.address = address;
  s->wants_prologue = (s->wants_prologue && !is_function) || is_prologue;
  return add_row(s, row, is_function || (s->wants_prologue && row.line));
}

/* The least of the addresses behind the last one at which something may begin; false: there is none. */
static bool next_address(selecting *s, uint64_t *ret) {
  const uint64_t address = *ret;
  *ret = s->end;
  if (s->start < s->of->start_count && s->of->starts[s->start] < *ret)
    *ret = s->of->starts[s->start];
  if (s->function < s->of->function_count && s->of->functions[s->function] < *ret)
    *ret = s->of->functions[s->function];
  while (s->row < s->of->count &&
         (!(s->of->rows[s->row].flags & DLOC_ROW_PROLOGUE_END) || s->of->rows[s->row].address <= address))
    s->row++;
  if (s->row < s->of->count && s->of->rows[s->row].address < *ret)
    *ret = s->of->rows[s->row].address;
  return *ret < s->end;
}

/* `select.empty`: whether the layer has a line somewhere. */
static dloc_status has_line(const selecting *s, uint64_t begin, bool *ret) {
  dloc_row row;
  TRY(place_at(s, begin, &row));
  for (size_t i = s->start; !row.line && i < s->of->start_count && s->of->starts[i] < s->end; i++)
    TRY(place_at(s, s->of->starts[i], &row));
  *ret = row.line > 0;
  return DLOC_OK;
}

/* `select.range`, `select.empty` */
dloc_status dloc_select_rows(const dloc_profile *profile, const dloc_selected *of, dloc_select_take *take, void *user) {
  selecting s = {.profile = profile, .of = of, .take = take, .user = user};
  bool any = false;
  if (of->count < 2 || !(of->rows[of->count - 1].flags & DLOC_ROW_END_SEQUENCE))
    return DLOC_OK;
  uint64_t address = of->rows[0].address;
  s.end = of->rows[of->count - 1].address;
  BISECT(start, 0, of->start_count, i, of->starts[i] < address);
  BISECT(function, 0, of->function_count, i, of->functions[i] < address);
  s.start = start;
  s.function = function;
  if (address < s.end)
    TRY(has_line(&s, address, &any));
  if (!any)
    return DLOC_OK;
  do
    TRY(select_at(&s, address));
  while (next_address(&s, &address));
  s.last.address = s.end;
  s.last.flags = (s.last.flags & DLOC_ROW_IS_STMT) | DLOC_ROW_END_SEQUENCE;
  return take(user, &s.last);
}
