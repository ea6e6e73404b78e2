/* vector_section.c - the op section: names of the sections of kinds and of embedded texts. No nodes stand in its args
 * and value. */
#include "vector_internal.h"

/* ---- Planning ---- */

static dloc_status plan_texts(const schema *s, const value *list, const char *what, const dloc_text **ret,
                              size_t *ret_count) {
  TRY(expect_list(s, list, what));
  dloc_text *texts = value_arena_alloc(s->arena, list->count, sizeof *texts);
  if (!texts)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(read_text(s, &list->of.items[i], what, &texts[i]));
  *ret = texts;
  *ret_count = list->count;
  return DLOC_OK;
}

dloc_status plan_section_args(const schema *s, const value *args, struct vector_plan *plan) {
  static const char *const keys[] = {"kinds", NULL};
  const value *kinds = NULL;
  TRY(expect_map(s, args, "args of section", keys));
  TRY(require(s, args, "kinds", &kinds));
  return plan_texts(s, kinds, "kinds", &plan->kinds, &plan->kind_count);
}

dloc_status plan_section(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"tables", "texts", NULL};
  const value *tables = NULL, *texts = value_get(map, "texts");
  TRY(expect_map(s, map, "the value of section", keys));
  TRY(require(s, map, "tables", &tables));
  TRY(plan_texts(s, tables, "tables", &plan->tables, &plan->table_count));
  if (plan->table_count != v->plan->kind_count)
    return WRONG(s, tables, "vector.field", "tables are as many as kinds");
  return texts ? plan_texts(s, texts, "texts", &plan->text_sections, &plan->text_section_count) : DLOC_OK;
}

/* ---- As a value ---- */

static dloc_status describe_texts(value_arena *arena, const dloc_text *texts, size_t count, const char *key,
                                  value *map) {
  value list, text;
  value_set_list(&list);
  for (size_t i = 0; i < count; i++) {
    TRY(value_set_text(arena, texts[i], &text));
    TRY(value_list_add(arena, &list, &text));
  }
  return value_map_add(arena, map, key, &list);
}

dloc_status describe_section(value_arena *arena, const vector_answer *answer, value *map) {
  TRY(describe_texts(arena, answer->tables, answer->table_count, "tables", map));
  return answer->text_section_count
             ? describe_texts(arena, answer->text_sections, answer->text_section_count, "texts", map)
             : DLOC_OK;
}

/* ---- Canonical text ---- */

dloc_status print_section(const vector_answer *answer, dloc_sink sink) {
  for (size_t i = 0; i < answer->table_count; i++)
    TRY(print_quoted(sink, "table ", answer->tables[i]));
  for (size_t i = 0; i < answer->text_section_count; i++)
    TRY(print_quoted(sink, "text ", answer->text_sections[i]));
  return DLOC_OK;
}

/* ---- The model's answer ---- */

/* The kinds of the args, then those of the module's entries. */
static dloc_status list_kinds(const vector_case *built, const dloc_source *sources, size_t count, dloc_node *ret) {
  for (size_t i = 0; i < built->kind_count; i++)
    TRY(dloc_string(built->context, built->kinds[i], ret++));
  for (size_t i = 0; i < count; i++)
    *ret++ = dloc_operand(built->context, sources[i].entry, 0);
  return DLOC_OK;
}

static dloc_status take_string(const vector_case *built, value_arena *arena, dloc_node node, dloc_text *ret) {
  *ret = value_arena_copy(arena, dloc_node_text(built->context, node));
  return ret->bytes ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_status take_tables(const vector_case *built, const dloc_node *names, value_arena *arena,
                               vector_answer *answer) {
  dloc_text *tables = value_arena_alloc(arena, built->kind_count, sizeof *tables);
  if (!tables)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < built->kind_count; i++) {
    dloc_node table;
    TRY(dloc_section_table(built->context, names[i], &table));
    TRY(take_string(built, arena, table, &tables[i]));
  }
  answer->tables = tables;
  answer->table_count = built->kind_count;
  return DLOC_OK;
}

static dloc_status take_texts(const vector_case *built, const dloc_profile *profile, const dloc_node *names,
                              const dloc_source *sources, size_t count, value_arena *arena, vector_answer *answer) {
  dloc_text *texts = value_arena_alloc(arena, count, sizeof *texts);
  if (!texts)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    dloc_node text;
    TRY(dloc_section_text(built->context, profile, names[i], sources[i].entry, &text));
    TRY(take_string(built, arena, text, &texts[i]));
  }
  answer->text_sections = texts;
  answer->text_section_count = count;
  return DLOC_OK;
}

dloc_status evaluate_section(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                             vector_answer *answer) {
  size_t count = built->module ? dloc_source_count(built->module) : 0, all = built->kind_count + count;
  dloc_source *sources = value_arena_alloc(arena, count, sizeof *sources);
  dloc_node *kinds = value_arena_alloc(arena, all, sizeof *kinds);
  dloc_node *names = value_arena_alloc(arena, all, sizeof *names);
  dloc_reason reason = DLOC_REASON_NONE;
  if (!sources || !kinds || !names)
    return DLOC_NO_MEMORY;
  if (count)
    dloc_source_list(built->module, count, sources);
  TRY(list_kinds(built, sources, count, kinds));
  dloc_status status = dloc_section_names(built->context, profile, kinds, all, &reason, names);
  if (status != DLOC_OK)
    return settle(status, reason, answer);
  TRY(take_tables(built, names, arena, answer));
  return take_texts(built, profile, names + built->kind_count, sources, count, arena, answer);
}
