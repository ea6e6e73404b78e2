/* The locations of a text: kept once each, and printed. */
#include "mlir.h"

#include <string.h>

size_t dloc_mlir_count(const dloc_mlir *mlir) { return mlir->locations.count; }

const dloc_mlir_use *dloc_mlir_uses(const dloc_mlir *mlir, size_t *ret_count) {
  *ret_count = mlir->uses.count;
  return mlir->uses.items;
}

dloc_mlir_location dloc_mlir_at(const dloc_mlir *mlir, dloc_mlir_number number) {
  const location *l = &mlir->locations.items[number];
  dloc_mlir_location ret = {.kind = (dloc_mlir_kind)l->kind, .text = l->text};
  if (l->kind == DLOC_MLIR_FILE) {
    ret.line = l->words[0], ret.column = l->words[1];
    ret.end_line = l->words[2], ret.end_column = l->words[3];
  } else if (l->words[1]) {
    ret.parts = mlir->parts.items + l->words[0];
    ret.part_count = l->words[1];
  }
  return ret;
}

/* ---- Making ---- */

static bool is_same(const dloc_mlir_location *a, const dloc_mlir_location *b) {
  return a->kind == b->kind && a->text == b->text && a->line == b->line && a->column == b->column &&
         a->end_line == b->end_line && a->end_column == b->end_column && a->part_count == b->part_count &&
         (!a->part_count || memcmp(a->parts, b->parts, a->part_count * sizeof *a->parts) == 0);
}

static uint64_t hash_of(const hash_key *key, const dloc_mlir_location *l) {
  uint64_t hash = hash_word(key, key->start, (uint64_t)l->kind << 32 | l->text);
  hash = hash_word(key, hash, (uint64_t)l->line << 32 | l->column);
  hash = hash_word(key, hash, (uint64_t)l->end_line << 32 | l->end_column);
  for (uint32_t i = 0; i < l->part_count; i++)
    hash = hash_word(key, hash, l->parts[i]);
  return hash;
}

static dloc_status add(dloc_mlir *mlir, const dloc_mlir_location *l) {
  location made = {.text = l->text, .kind = (uint8_t)l->kind};
  if (mlir->locations.count == UINT32_MAX || mlir->parts.count > UINT32_MAX - l->part_count)
    return DLOC_LIMIT;
  if (l->kind == DLOC_MLIR_FILE)
    memcpy(made.words, (uint32_t[]){l->line, l->column, l->end_line, l->end_column}, sizeof made.words);
  else {
    made.words[0] = (uint32_t)mlir->parts.count;
    made.words[1] = l->part_count;
  }
  RESERVE(mlir->context, mlir->parts, mlir->parts.count + l->part_count);
  PUSH(mlir->context, mlir->locations, made);
  if (l->part_count)
    memcpy(mlir->parts.items + mlir->parts.count, l->parts, l->part_count * sizeof *l->parts);
  mlir->parts.count += l->part_count;
  return DLOC_OK;
}

dloc_status mlir_add(dloc_mlir *mlir, const dloc_mlir_location *location, dloc_mlir_number *ret) {
  const uint64_t hash = hash_of(&mlir->context->hash_key, location);
  for (uint32_t tries = 0;; tries++) {
    const uint32_t next = (uint32_t)mlir->locations.count;
    uint32_t number;
    TRY(map_add(mlir->context, &mlir->known, hash, tries, next, &number));
    if (number == next)
      TRY(add(mlir, location));
    dloc_mlir_location known = dloc_mlir_at(mlir, number);
    if (is_same(&known, location))
      return *ret = number, DLOC_OK;
  }
}

/* ---- Printing ---- */

static dloc_status print_parts(const dloc_mlir *mlir, const dloc_mlir_location *l, const char *between,
                               dloc_sink sink) {
  for (uint32_t i = 0; i < l->part_count; i++) {
    TRY(sink_string(sink, i ? between : ""));
    TRY(mlir_print(mlir, l->parts[i], sink));
  }
  return DLOC_OK;
}

static dloc_status print_range(const dloc_mlir_location *l, dloc_sink sink) {
  TRY(sink_string(sink, ":"));
  TRY(sink_number(sink, l->line));
  TRY(sink_string(sink, ":"));
  TRY(sink_number(sink, l->column));
  if (l->end_line == l->line && l->end_column == l->column)
    return DLOC_OK;
  TRY(sink_string(sink, " to "));
  if (l->end_line != l->line)
    TRY(sink_number(sink, l->end_line));
  TRY(sink_string(sink, ":"));
  return sink_number(sink, l->end_column);
}

/* The text of a scoped location, split where its part stands. */
static size_t part_at(dloc_text text) {
  return (size_t)((const char *)memchr(text.bytes, '<', text.size) + 1 - text.bytes);
}

dloc_status mlir_print_before(const dloc_mlir *mlir, const dloc_mlir_location *l, dloc_sink sink) {
  const dloc_text text = dloc_node_text(mlir->context, l->text);
  switch (l->kind) {
  case DLOC_MLIR_NAME:
    TRY(dloc_print_string(text, sink));
    return sink_string(sink, l->part_count ? "(" : "");
  case DLOC_MLIR_CALL_SITE:
    return sink_string(sink, "callsite(");
  case DLOC_MLIR_FUSED:
    TRY(sink_string(sink, l->text ? "fused<" : "fused"));
    TRY(sink_text(sink, text));
    return sink_string(sink, l->text ? ">[" : "[");
  case DLOC_MLIR_SCOPED:
    TRY(sink_bytes(sink, text.bytes, part_at(text)));
    return sink_string(sink, "loc(");
  default:
    return DLOC_OK;
  }
}

dloc_status mlir_print_behind(const dloc_mlir *mlir, const dloc_mlir_location *l, dloc_sink sink) {
  const dloc_text text = dloc_node_text(mlir->context, l->text);
  if (l->part_count || l->kind == DLOC_MLIR_FUSED)
    TRY(sink_string(sink, l->kind == DLOC_MLIR_FUSED ? "]" : ")"));
  const size_t behind = l->kind == DLOC_MLIR_SCOPED ? part_at(text) : text.size;
  return sink_bytes(sink, text.bytes + behind, text.size - behind);
}

dloc_status mlir_print(const dloc_mlir *mlir, dloc_mlir_number number, dloc_sink sink) {
  const dloc_mlir_location l = dloc_mlir_at(mlir, number);
  const dloc_text text = dloc_node_text(mlir->context, l.text);
  switch (l.kind) {
  case DLOC_MLIR_UNKNOWN:
    return sink_string(sink, "unknown");
  case DLOC_MLIR_FILE:
    TRY(dloc_print_string(text, sink));
    return print_range(&l, sink);
  case DLOC_MLIR_OPAQUE:
  case DLOC_MLIR_ALIAS:
    return sink_text(sink, text);
  default:
    TRY(mlir_print_before(mlir, &l, sink));
    TRY(print_parts(mlir, &l, l.kind == DLOC_MLIR_CALL_SITE ? " at " : ", ", sink));
    return mlir_print_behind(mlir, &l, sink);
  }
}
