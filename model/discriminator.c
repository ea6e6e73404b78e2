/* spec/transformations.md, chapter 5.9: what another discriminator leaves of a location. */
#include "layers.h"

/* ---- Encoding ---- */

/* `discriminator.encoding`: one component, and how many bits it takes. */
static uint64_t encode_component(uint32_t component, unsigned *bits) {
  bool is_long = component > 31;
  *bits = component == 0 ? 1 : is_long ? 14 : 7;
  uint64_t low = component & 31, high = component >> 5;
  return component == 0 ? 1 : low << 1 | (uint64_t)is_long << 6 | high << 7;
}

static uint32_t decode_component(uint32_t *rest) {
  uint32_t bits = *rest;
  bool is_zero = bits & 1, is_long = bits & 64;
  *rest >>= is_zero ? 1 : is_long ? 14 : 7;
  return is_zero ? 0 : (bits >> 1 & 31) | (is_long ? (bits >> 7 & 127) << 5 : 0);
}

dloc_discriminator dloc_discriminator_decode(uint32_t encoded) {
  dloc_discriminator d;
  d.base = decode_component(&encoded);
  d.duplication = decode_component(&encoded);
  d.copy = decode_component(&encoded);
  return d;
}

/* `discriminator.encoding`, `discriminator.limit`: false when the 32 bits do not say it. */
static bool encode(dloc_discriminator d, uint32_t *ret) {
  const uint32_t components[] = {d.base, d.duplication, d.copy};
  size_t count = d.copy ? 3 : d.duplication ? 2 : d.base ? 1 : 0;
  uint64_t encoded = 0;
  for (unsigned i = 0, at = 0, bits; i < count; i++, at += bits)
    encoded |= encode_component(components[i], &bits) << at;
  dloc_discriminator back = dloc_discriminator_decode((uint32_t)encoded);
  *ret = (uint32_t)encoded;
  return back.base == d.base && back.duplication == d.duplication && back.copy == d.copy;
}

/* ---- The two changes ---- */

/* `discriminator.probe` */
static bool is_pseudo_probe(uint32_t encoded) { return (encoded & 7) == 7 && encoded > 7; }

/* `discriminator.base`; false: the location stays as it is (`discriminator.base.same`), also as *fits is false. */
static bool set_base(const dloc_profile *profile, uint32_t old, uint32_t base, uint32_t *ret, bool *fits) {
  dloc_discriminator d = dloc_discriminator_decode(old);
  bool is_kept = is_pseudo_probe(old) && DLOC_TAKES(profile, DISCRIMINATOR_PROBE, KEPT);
  bool changes = d.base != base && !is_kept;
  d.base = base;
  return changes && (*fits = encode(d, ret));
}

/* `discriminator.duplication`; false: the location stays as it is. */
static bool multiply(const dloc_profile *profile, uint32_t old, uint32_t factor, uint32_t *ret, bool *fits) {
  dloc_discriminator d = dloc_discriminator_decode(old);
  uint64_t product = (uint64_t)factor * (d.duplication ? d.duplication : 1);
  if (is_pseudo_probe(old) && !DLOC_TAKES(profile, DISCRIMINATOR_PROBE, MULTIPLIED))
    return false;
  d.duplication = product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
  return product > 1 && (*fits = encode(d, ret));
}

/* ---- Locations ---- */

/* `discriminator.nested` */
static dloc_node without_discriminators(const dloc_context *context, dloc_node scope) {
  for (size_t steps = dloc_node_limit(context); steps && block_file_discriminator(context, scope) != 0; steps--)
    scope = dloc_scope_parent(context, scope);
  return scope;
}

/* `discriminator.location`, `discriminator.implicit`, `discriminator.scope`, `discriminator.list` */
static dloc_status discriminate(dloc_context *context, const dloc_profile *profile, dloc_node old, uint32_t encoded,
                                dloc_node *ret) {
  dloc_location content = dloc_location_get(context, old);
  dloc_node file = dloc_scope_file(context, content.scope);
  content.scope = without_discriminators(context, content.scope);
  if (DLOC_TAKES(profile, DISCRIMINATOR_IMPLICIT, LOSE))
    content.implicit = false;
  if (DLOC_TAKES(profile, DISCRIMINATOR_LAYERS, DROP))
    content.layers = DLOC_NULL;
  TRY(dloc_lexical_block_file(context, content.scope, file, encoded, &content.scope));
  return dloc_location_create(context, false, &content, ret);
}

/* `discriminator.layers` */
dloc_status dloc_discriminate(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                              dloc_discriminator_part part, uint32_t number, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  dloc_node primary = dloc_primary(context, debug_loc);
  uint32_t old = primary ? dloc_location_discriminator(context, primary) : 0, encoded;
  bool keeps = DLOC_TAKES(profile, DISCRIMINATOR_LAYERS, KEEP), fits = true;
  bool changes = part == DLOC_DISCRIMINATOR_BASE ? set_base(profile, old, number, &encoded, &fits)
                                                 : multiply(profile, old, number, &encoded, &fits);
  if (debug_loc == DLOC_NULL || !fits || (!changes && keeps))
    return give_node(ret, debug_loc); /* `discriminator.empty`, `discriminator.limit` */
  if (changes)
    TRY(discriminate(context, profile, primary, encoded, &primary));
  if (keeps)
    return with_primary(context, debug_loc, primary, ret);
  return give_node(ret, primary);
}

dloc_status without_probe(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_node *ret) {
  dloc_node primary = dloc_primary(context, debug_loc);
  if (!is_pseudo_probe(dloc_location_discriminator(context, primary)))
    return give_node(ret, debug_loc);
  TRY(discriminate(context, profile, primary, 0, &primary));
  return with_primary(context, debug_loc, primary, ret);
}
