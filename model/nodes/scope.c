/* SPEC.md, chapter 1: scopes, and chains of inlinedAt. */
#include "metadata.h"

#include <stdio.h>
#include <string.h>

/* `scope.layer.block-file`, `scope.intermediate` */
bool dloc_is_local_scope(const dloc_context *context, dloc_node handle) {
  unsigned kind = node_kind(context, handle);
  return kind == DLOC_KIND_SUBPROGRAM || kind == DLOC_KIND_LEXICAL_BLOCK || kind == DLOC_KIND_LEXICAL_BLOCK_FILE ||
         kind == DLOC_KIND_INTERMEDIATE_SCOPE;
}

/* Fields of one name share one token, whatever their class. */
dloc_node dloc_scope_parent(const dloc_context *context, dloc_node scope) {
  return node_field(context, scope, context->field_keys[FIELD_LEXICAL_BLOCK_scope]);
}

/* `scope.layer.file` */
dloc_node dloc_scope_file(const dloc_context *context, dloc_node scope) {
  if (scope_number(context, scope))
    return scope_known(context, scope)->file;
  if (node_kind(context, scope) == DLOC_KIND_FILE)
    return scope;
  return node_field(context, scope, context->field_keys[FIELD_LEXICAL_BLOCK_file]);
}

dloc_status collect_chain_until(dloc_context *context, dloc_node location, const node_notes *known, scratch *ret,
                                dloc_reason *ret_reason) {
  bool is_noted = false;
  for (ret->count = 0; location && !is_noted;) {
    is_noted = ret->count && note_get(known, 0, location, &(uint32_t){0});
    TRY(chain_push(context, &location, ret, ret_reason));
  }
  return DLOC_OK;
}

static bool is_among(const dloc_field *fields, size_t count, dloc_node key) {
  size_t i = 0;
  while (i < count && fields[i].key != key)
    i++;
  return i < count;
}

dloc_status change_fields(dloc_context *context, dloc_node old, bool distinct, const dloc_field *changes, size_t count,
                          dloc_node *ret) {
  size_t kept = 0, old_count = dloc_field_count(context, old);
  ALLOCATE(context, dloc_field, fields, old_count + count);
  OWNED_MEMORY(context, &fields);
  for (size_t i = 0; i < old_count; i++) {
    fields[kept] = dloc_field_at(context, old, i);
    kept += !is_among(changes, count, fields[kept].key);
  }
  for (size_t i = 0; i < count; i++)
    if (changes[i].value)
      fields[kept++] = changes[i];
  return dloc_specialised(context, dloc_node_class(context, old), distinct, fields, kept, NULL, ret);
}

dloc_status copy_scope(dloc_context *context, dloc_node scope, dloc_node parent, bool distinct, dloc_node *ret) {
  size_t size = 2 + 2 * dloc_field_count(context, scope);
  uint32_t *words = NULL;
  TRY(node_begin(context, size, &words));
  memcpy(words, node_words(context, scope), size * sizeof *words);
  for (size_t i = 2; i < size; i += 2)
    if (words[i] == context->field_keys[FIELD_LEXICAL_BLOCK_scope])
      words[i + 1] = parent;
  return node_finish(context, node_kind(context, scope), distinct, size, ret);
}

dloc_status copy_block(dloc_context *context, dloc_node block, dloc_node parent, dloc_node *ret) {
  return copy_scope(context, block, parent, false, ret);
}

uint32_t block_file_discriminator(const dloc_context *context, dloc_node scope) {
  bool has_one = node_kind(context, scope) == DLOC_KIND_LEXICAL_BLOCK_FILE;
  return has_one ? node_number(context, scope, FIELD_LEXICAL_BLOCK_FILE_discriminator) : 0;
}

/* `metadata.discriminator` */
uint32_t dloc_location_discriminator(const dloc_context *context, dloc_node location) {
  return block_file_discriminator(context, location_content(context, location).scope);
}

/* ---- What is known of scopes ---- */

/* Each scope is passed once as long as it ends in a subprogram: then scope_find knows it. */
static bool leads_to_subprogram(const dloc_context *context, dloc_node scope) {
  for (size_t steps = context->node_count; steps && dloc_is_local_scope(context, scope); steps--) {
    if (node_kind(context, scope) == DLOC_KIND_SUBPROGRAM || scope_number(context, scope))
      return true;
    scope = dloc_scope_parent(context, scope);
  }
  return false;
}

/* Add a scope whose parent is known, unless it is a subprogram. */
static dloc_status add_scope(dloc_context *context, dloc_node scope) {
  uint32_t index = (uint32_t)context->scopes.count;
  known_scope known = {.node = scope, .subprogram = scope, .file = dloc_scope_file(context, scope), .parent = index};
  if (node_kind(context, scope) != DLOC_KIND_SUBPROGRAM) {
    known.parent = scope_number(context, dloc_scope_parent(context, scope)) - 1;
    known.subprogram = context->scopes.items[known.parent].subprogram;
    known.depth = context->scopes.items[known.parent].depth + 1;
  }
  PUSH(context, context->scopes, known);
  return note_set(context, &context->scope_numbers, context->scope_salt, scope, index + 1);
}

/* Add a scope and those above it that are not known yet, the outermost first. */
static dloc_status add_scopes(dloc_context *context, dloc_node scope, scratch *path) {
  for (; !scope_number(context, scope); scope = dloc_scope_parent(context, scope)) {
    TRY(scratch_push(context, path, scope));
    if (node_kind(context, scope) == DLOC_KIND_SUBPROGRAM)
      break;
  }
  while (path->count)
    TRY(add_scope(context, path->words[--path->count]));
  return DLOC_OK;
}

dloc_status scope_learn(dloc_context *context, dloc_node scope, uint32_t *ret_index) {
  if (!leads_to_subprogram(context, scope))
    return DLOC_INVALID;
  scratch path = {0};
  dloc_status status = add_scopes(context, scope, &path);
  *ret_index = scope_number(context, scope) - 1;
  context_free(context, path.words);
  return status;
}

dloc_status location_learn(dloc_context *context, dloc_node location, uint32_t *ret_index) {
  TRY(scope_find(context, location_content(context, location).scope, ret_index));
  return note_set(context, &context->scopes_of, context->scope_salt, location, *ret_index + 1);
}

dloc_node dloc_scope_subprogram(const dloc_context *context, dloc_node scope) {
  uint32_t index;
  dloc_status status = scope_find((dloc_context *)context, scope, &index); /* a cache: no node changes */
  if (status == DLOC_OK)
    return scope_at(context, index)->subprogram;
  for (bool leads = status != DLOC_INVALID; leads && node_kind(context, scope) != DLOC_KIND_SUBPROGRAM;)
    scope = dloc_scope_parent(context, scope);
  return status == DLOC_INVALID ? DLOC_NULL : scope;
}
