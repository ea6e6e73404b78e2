/* reading.c - reading documents: maps, lists and scalars as they should be. */
#include "reading.h"

static bool is_key(dloc_text key, const char *const *keys) {
  for (; *keys; keys++)
    if (dloc_text_equal(key, dloc_text_of(*keys)))
      return true;
  return false;
}

dloc_status expect_map(const reading *r, const value *v, const char *what, const char *const *keys) {
  if (v->kind != VALUE_MAP)
    return WRONG(r, v, "vector.field", "%s is a map", what);
  for (uint32_t i = 0; i < v->count; i++)
    if (!is_key(v->of.entries[i].key, keys))
      return WRONG(r, &v->of.entries[i], "vector.field", "'%.100s' is no field of %s", v->of.entries[i].key.bytes,
                   what);
  return DLOC_OK;
}

dloc_status expect_list(const reading *r, const value *v, const char *what) {
  return v->kind == VALUE_LIST ? DLOC_OK : WRONG(r, v, "vector.field", "%s is a list", what);
}

dloc_status require(const reading *r, const value *map, const char *key, const value **ret) {
  *ret = value_get(map, key);
  return *ret ? DLOC_OK : WRONG(r, map, "vector.field", "field '%s' is missing", key);
}

dloc_status read_text(const reading *r, const value *v, const char *what, dloc_text *ret) {
  if (v->kind != VALUE_SCALAR)
    return WRONG(r, v, "vector.field", "%s is a text", what);
  *ret = value_text(v);
  return DLOC_OK;
}

dloc_status read_flag(const reading *r, const value *map, const char *key, bool absent, bool *ret) {
  const value *v = value_get(map, key);
  *ret = absent;
  if (v && !value_boolean(v, ret))
    return WRONG(r, v, "vector.field", "%s is true or false", key);
  return DLOC_OK;
}
