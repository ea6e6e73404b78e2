/* section.c - `section`: names of the sections of line tables and of embedded texts. SPEC.md 8.4 */
#include "declare.h"

/* The kinds of the args, then those of the module's entries. */
static dloc_status list_kinds(query *q, const term *kinds, const dloc_source *sources, size_t count, dloc_node *ret) {
  for (uint32_t i = 0; i < kinds->count; i++)
    TRY(dloc_string(q->context, kinds->of.items[i].of.text, ret++));
  for (size_t i = 0; i < count; i++)
    *ret++ = dloc_operand(q->context, sources[i].entry, 0);
  return DLOC_OK;
}

static dloc_status take_tables(query *q, const dloc_node *names, size_t count, term *value) {
  term *tables = term_set_list(q->arena, value, "tables", count);
  for (size_t i = 0; i < count; i++) {
    dloc_node table;
    TRY(dloc_section_table(q->context, q->profile, names[i], &table));
    term_be_text(q->arena, &tables[i], dloc_node_text(q->context, table));
  }
  return DLOC_OK;
}

/* The sections of texts, and their groups if these are asked for. */
static dloc_status take_texts(query *q, const dloc_node *names, const dloc_source *sources, size_t count, term *value) {
  for (size_t i = 0; i < count; i++) {
    dloc_node text, group;
    TRY(dloc_section_text(q->context, q->profile, names[i], sources[i].entry, &text));
    TRY(dloc_section_group(q->context, q->profile, text, sources[i].entry, &group));
    term_be_text(q->arena, term_add(q->arena, value, "texts"), dloc_node_text(q->context, text));
    if (term_flag(q->args, "groups"))
      term_be_text(q->arena, term_add(q->arena, value, "groups"), dloc_node_text(q->context, group));
  }
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  const term *asked = term_list(q->args, "kinds");
  size_t count = q->module ? dloc_source_count(q->module) : 0, all = asked->count + count;
  dloc_source *sources = value_arena_alloc(q->arena, count, sizeof *sources);
  dloc_node *kinds = value_arena_alloc(q->arena, all, sizeof *kinds);
  dloc_node *names = value_arena_alloc(q->arena, all, sizeof *names);
  if (count)
    dloc_source_list(q->module, count, sources);
  TRY(list_kinds(q, asked, sources, count, kinds));
  TRY(dloc_section_names(q->context, q->profile, kinds, all, &q->reason, names));
  TRY(take_tables(q, names, asked->count, value));
  return take_texts(q, names + asked->count, sources, count, value);
}

const operation op_section = {
    .name = "section",
    .forms = {{MAP(NULL, FIELD("kinds", LIST(TEXT)), OPTIONAL("groups", FLAG)),
               MAP(NULL, {.key = "tables", .of = LIST(TEXT), .text = "table %\n", .as_many = "kinds"},
                   OPTIONAL_AS("texts", LIST(TEXT), "text %\n"), OPTIONAL_AS("groups", LIST(TEXT), "group %\n"))}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
};
