/* Embedded sources through the API: what counts as an entry, which one is found, the MD5. */
#include "allocation.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const char text[] = "!llvm.intermediate_level_source = !{!0, !1, !2, !3, !4, !5, !6}\n"
                           "!0 = !{!\"TileIR\", !10, !\"abc\"}\n"
                           "!1 = !{!\"TileIR\", !10}\n"
                           "!2 = !{null, !10, !\"abc\"}\n"
                           "!3 = !{!\"TileIR\", !\"a.tile\", !\"abc\"}\n"
                           "!4 = !{!\"TileIR\", !10, null}\n"
                           "!5 = !{!\"MLIR\", !10, !\"\\00\\22\\\\\"}\n"
                           "!6 = !{!\"MLIR\", !11, !\"\"}\n"
                           "!10 = !DIFile(filename: \"a.tile\", directory: \"x\")\n"
                           "!11 = !DIFile(filename: \"a.tile\", directory: \"y\")\n"
                           "!12 = !DIFile(filename: \"a.tile\", directory: \"z\")\n"
                           "!13 = !DIFile(filename: \"b.tile\", directory: \"x\")\n"
                           "!named = !{!10, !11, !12, !13}\n";

typedef struct fixture {
  dloc_context *context;
  dloc_module *module;
  dloc_profile profile;
} fixture;

static fixture fixture_of(const char *module_text) {
  fixture f = {dloc_context_create(NULL), NULL, *dloc_profile_at(0)};
  dloc_diagnostic diagnostic;
  assert_non_null(f.context);
  assert_int_equal(dloc_read_ll(f.context, dloc_text_of(module_text), &diagnostic, &f.module), DLOC_OK);
  return f;
}

static void release(fixture *f) {
  dloc_module_destroy(f->module);
  dloc_context_destroy(f->context);
}

/* The number of the entry that is found; -1 for none. */
static int found(const fixture *f, unsigned file, const char *kind) {
  dloc_source source;
  uint64_t number;
  dloc_node node = dloc_module_numbered(f->module, file);
  if (!dloc_source_find(f->module, &f->profile, node, dloc_text_of(kind), &source))
    return -1;
  assert_true(dloc_module_number_of(f->module, source.entry, &number));
  return (int)number;
}

/* `source.entry`, `source.order`, `source.empty-text` */
static void well_formed_entries_in_order(void **state) {
  (void)state;
  fixture f = fixture_of(text);
  dloc_source sources[4] = {{.file = 7}, {.file = 7}, {.file = 7}, {.file = 7}};
  assert_int_equal(dloc_source_count(f.module), 3);
  assert_int_equal(dloc_source_list(f.module, 2, sources), 2);
  assert_int_equal(sources[2].file, 7);
  assert_int_equal(dloc_source_list(f.module, 4, sources), 3);
  assert_int_equal(sources[3].file, 7);
  assert_true(dloc_text_equal(sources[1].kind, dloc_text_of("MLIR")));
  assert_int_equal(sources[1].file, dloc_module_numbered(f.module, 10));
  assert_int_equal(sources[1].text.size, 3);
  assert_memory_equal(sources[1].text.bytes, "\0\"\\", 3);
  assert_int_equal(sources[2].text.size, 0);
  assert_int_equal(sources[2].entry, dloc_module_numbered(f.module, 6));
  release(&f);
}

static void none(void **state) {
  (void)state;
  static const char *const texts[] = {"", "!llvm.intermediate_level_source = !{}\n"};
  for (size_t i = 0; i < 2; i++) {
    fixture f = fixture_of(texts[i]);
    dloc_source source;
    assert_int_equal(dloc_source_count(f.module), 0);
    assert_int_equal(dloc_source_list(f.module, 1, &source), 0);
    assert_false(dloc_source_find(f.module, &f.profile, DLOC_NULL, dloc_text_of(""), &source));
    release(&f);
  }
}

/* `source.link`, under each alternative of `source.match` */
static void entries_are_found_by_file(void **state) {
  (void)state;
  fixture f = fixture_of(text);
  uint8_t *match = &f.profile.alternative[DLOC_CHOICE_SOURCE_MATCH];
  *match = DLOC_SOURCE_MATCH_FILE;
  assert_int_equal(found(&f, 10, ""), 0);
  assert_int_equal(found(&f, 10, "MLIR"), 0);
  assert_int_equal(found(&f, 11, ""), 6);
  assert_int_equal(found(&f, 12, ""), -1);
  assert_int_equal(found(&f, 99, ""), -1);
  *match = DLOC_SOURCE_MATCH_FILE_AND_KIND;
  assert_int_equal(found(&f, 10, ""), 0);
  assert_int_equal(found(&f, 10, "TileIR"), 0);
  assert_int_equal(found(&f, 10, "MLIR"), 5);
  assert_int_equal(found(&f, 11, "TileIR"), -1);
  release(&f);
}

static void assert_hash(const fixture *f, const dloc_source *source, const char *wanted) {
  char md5[33];
  assert_true(dloc_text_equal(dloc_source_hash(f->context, &f->profile, source, md5), dloc_text_of(wanted)));
}

/* `source.md5`; choice `source.hash` */
static void md5_of_text_or_name(void **state) {
  (void)state;
  fixture f = fixture_of(text);
  dloc_source sources[3];
  assert_int_equal(dloc_source_list(f.module, 3, sources), 3);
  assert_hash(&f, &sources[0], "900150983cd24fb0d6963f7d28e17f72");
  f.profile.alternative[DLOC_CHOICE_SOURCE_HASH] = DLOC_SOURCE_HASH_FILENAME;
  assert_hash(&f, &sources[0], "61323302e26915cadfbbabcedec254a3");
  f.profile.alternative[DLOC_CHOICE_SOURCE_HASH] = DLOC_SOURCE_HASH_TEXT;
  assert_hash(&f, &sources[2], "d41d8cd98f00b204e9800998ecf8427e");
  release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(well_formed_entries_in_order),
      cmocka_unit_test(none),
      cmocka_unit_test(entries_are_found_by_file),
      cmocka_unit_test(md5_of_text_or_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
