/* dloc lines: the line table of an object file. */
#include "help/lines.h"
#include "lines.h"

/* The form of the table, and the function that shows it. */
static const struct view {
  const char *name; /* of its option; NULL: without one */
  bool has_argument;
  line_view *show;
  dloc_line_dialect dialect; /* DLOC_DIALECT_COUNT: the view reads the table itself */
} views[] = {
    {NULL, false, lines_text, DLOC_DIALECT_STANDARD},
    {"tsv", false, lines_tsv, DLOC_DIALECT_STANDARD},
    {"raw", false, lines_raw, DLOC_DIALECT_STANDARD},
    {"json", false, lines_json, DLOC_DIALECT_STANDARD},
    {"nvidia", false, lines_nvidia, DLOC_DIALECT_NVIDIA},
    {"two-level", true, lines_two_level, DLOC_DIALECT_COUNT},
    {"discriminators", false, lines_discriminators, DLOC_DIALECT_STANDARD},
};
enum { VIEWS = sizeof views / sizeof *views };

typedef struct request {
  dloc_profile profile;
  const char *section;
  struct {
    bool flag;
    const char *argument;
  } views[VIEWS];
} request;

static void parse(int argc, char **argv, request *r) {
  tool_option options[VIEWS + 4] = {TOOL_PROFILE_OPTIONS(&r->profile)};
  size_t count = 2;
  options[count++] = (tool_option){TOOL_TEXT, "section", NULL, &r->section};
  for (size_t i = 1; i < VIEWS; i++) {
    void *value = views[i].has_argument ? (void *)&r->views[i].argument : &r->views[i].flag;
    options[count++] = (tool_option){views[i].has_argument ? TOOL_TEXT : TOOL_FLAG, views[i].name, NULL, value};
  }
  tool_parse(argc, argv, &lines_usage, options);
}

/* The view that was asked for. */
static size_t view_of(const request *r) {
  size_t found = 0;
  for (size_t i = 1; i < VIEWS; i++)
    if (r->views[i].flag || r->views[i].argument) {
      if (found)
        tool_fail("--%s and --%s are two views; ask for one", views[found].name, views[i].name);
      found = i;
    }
  return found;
}

/* --gdwarf-sections of as leaves a header in .debug_line and the programs in sections of their own. */
static void refuse_pieces(line_file *file) {
  dloc_object_section end;
  if (line_file_section(file, ".debug_line_end", 0, &end) && end.bytes.size == 0)
    tool_fail(
        "%s: its line table stands in pieces (.debug_line.*, as --gdwarf-sections has it), which a linker joins: link it first",
        file->input.name);
}

/* The first section to read; its name in *ret_name. */
static bool find_section(line_file *file, const char *asked, dloc_object_section *ret, const char **ret_name) {
  static const char *const usual[] = {".debug_line", ".debug_line.dwo"};
  for (size_t i = 0; i < (asked ? 1 : 2); i++)
    if (line_file_section(file, *ret_name = asked ? asked : usual[i], 0, ret))
      return true;
  if (asked)
    tool_fail("%s: there is no section %s", file->input.name, asked);
  tool_diagnose(&file->input, NULL, "note", "there is no line table: no section .debug_line", NULL);
  line_file_tell_elsewhere(file);
  return false;
}

int tool_lines(int argc, char **argv) {
  request request = {.section = NULL};
  parse(argc, argv, &request);
  const size_t chosen = view_of(&request);
  const struct view *view = &views[chosen];
  line_file file = line_file_open(argv[0], &request.profile);
  file.argument = request.views[chosen].argument;
  const char *name;
  dloc_object_section section, next;
  if (!request.section)
    refuse_pieces(&file);
  bool any = find_section(&file, request.section, &section, &name);
  for (; any; section = next) {
    any = line_file_section(&file, name, section.index, &next);
    file.several |= any;
    file.section = section;
    if (view->dialect != DLOC_DIALECT_COUNT)
      line_file_read(&file, view->dialect);
    view->show(&file);
    line_file_forget(&file);
  }
  return line_file_close(&file);
}
