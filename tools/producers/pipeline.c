/* pipeline.c - marks in MLIR's pipelines of passes. */
#include "pipeline.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "shell/tools.h"

#include <stdlib.h>
#include <string.h>

#define MODULE "builtin.module("
#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
#define SPACES " \t\n"

/* Is a name among those between commas? */
static bool is_listed(const char *list, const char *name, size_t size) {
  for (; *list; list += strcspn(list, ","), list += *list == ',')
    if (strcspn(list, ",") == size && strncmp(list, name, size) == 0)
      return true;
  return false;
}

static void add_stage(pipeline *p, dloc_buffer *passes, dloc_text name, const char *folder) {
  for (size_t i = 0; i < p->count; i++)
    if (dloc_text_equal(dloc_text_of(p->stages[i]), name))
      tool_fail("--pipeline: the stage @%s is marked twice", p->stages[i]);
  *MEMORY_ADD(p->stages, p->count) = memory_copy(name);
  buffer_format(passes, "snapshot-op-locations{filename=%s/%.*s.mlir tag=%.*s}", folder, (int)name.size, name.bytes,
                (int)name.size, name.bytes);
}

/* A mark that is not wanted goes with the comma behind it, or before. */
static const char *leave_out(dloc_buffer *passes, const char *behind) {
  const char *next = behind + strspn(behind, SPACES);
  if (*next == ',')
    return next + 1;
  while (passes->size && strchr(SPACES ",", passes->bytes[passes->size - 1]))
    passes->size--;
  return behind;
}

/* Marks stand between passes of the module. */
static void check_mark(dloc_text name, int parentheses) {
  const char *behind = name.bytes + name.size;
  behind += strspn(behind, SPACES);
  if (!name.size)
    tool_fail("--pipeline: a stage needs a name: @NAME");
  if (parentheses != 1)
    tool_fail("--pipeline: @%.*s stands in a pipeline of other operations; a stage's text is that of the module",
              (int)name.size, name.bytes);
  if (*behind && !strchr(",)", *behind))
    tool_fail("--pipeline: a comma is needed behind the mark @%.*s, which has letters, digits and _.-", (int)name.size,
              name.bytes);
}

/* Marks stand outside of options. */
static void expand_passes(pipeline *p, dloc_buffer *passes, const char *text, const char *stages, const char *folder) {
  int braces = 0, parentheses = 0;
  bool begins = true; /* a pass or a mark may stand here */
  while (*text) {
    if (*text == '@' && begins && !braces) {
      dloc_text name = {text + 1, strspn(text + 1, NAME_BYTES)};
      check_mark(name, parentheses);
      text = name.bytes + name.size;
      if (!stages || is_listed(stages, name.bytes, name.size))
        add_stage(p, passes, name, folder);
      else
        text = leave_out(passes, text);
      continue;
    }
    braces += (*text == '{') - (*text == '}');
    parentheses += braces ? 0 : (*text == '(') - (*text == ')');
    if (!strchr(SPACES, *text))
      begins = !braces && (*text == ',' || *text == '(');
    buffer_put(passes, (dloc_text){text++, 1});
  }
}

/* Each stage that is wanted has a mark. */
static void check_stages(const pipeline *p, const char *stages) {
  for (const char *name = stages; name && *name; name += strcspn(name, ","), name += *name == ',') {
    size_t size = strcspn(name, ","), i = 0;
    while (i < p->count && !dloc_text_equal(dloc_text_of(p->stages[i]), (dloc_text){name, size}))
      i++;
    if (i == p->count)
      tool_fail("--stages: the pipeline has no mark @%.*s", (int)size, name);
  }
  if (p->count == 0)
    tool_fail("--pipeline: no stage is marked; write @NAME between two passes where a text shall be taken");
}

pipeline pipeline_expand(const char *text, const char *stages, const char *folder) {
  pipeline p = {.count = 0};
  dloc_buffer passes = {0};
  text += strspn(text, SPACES);
  bool whole = strncmp(text, MODULE, strlen(MODULE)) == 0;
  char *complete = whole ? text_format("%s", text) : text_format(MODULE "%s)", text);
  expand_passes(&p, &passes, complete, stages, folder);
  free(complete);
  buffer_put(&passes, (dloc_text){"", 1});
  p.passes = passes.bytes;
  check_stages(&p, stages);
  return p;
}

void pipeline_free(pipeline *pipeline) {
  for (size_t i = 0; i < pipeline->count; i++)
    free(pipeline->stages[i]);
  free(pipeline->stages);
  free(pipeline->passes);
}
