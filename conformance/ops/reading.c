/* reading.c - reading documents: maps, lists and scalars as they should be. */
#include "reading.h"

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
