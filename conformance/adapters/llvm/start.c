/* start.c - what a directory of LLVM tools is: its release, what it knows and what can be seen of it. */
#include "llvm.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- Finding out ---- */

/* Run a tool to a good end, or fail. The caller ends the process. */
static bool run_tool(llvm_adapter *self, char *const *argv, const char *input, process *ret) {
  adapter *a = &self->base;
  int error = process_run(argv, dloc_text_of(input), a->settings->timeout, LLVM_OUTPUT_LIMIT, ret);
  if (error)
    return adapter_fail(a, "cannot run %s: %s", argv[0], strerror(error));
  if (process_ended_well(ret))
    return true;
  char end[100];
  dloc_text line = process_last_words(ret);
  process_describe_end(ret, end, sizeof end);
  adapter_fail(a, "%s does not work: %s%s%.*s", argv[0], end, line.size ? ": " : "", (int)line.size, line.bytes);
  process_end(ret);
  return false;
}

/* "  LLVM version 22.1.8" or "Debian LLVM version 14.0.6". */
static bool read_version(llvm_adapter *self, dloc_text text, run_implementation *ret) {
  static const char marker[] = "LLVM version ";
  const char *found = text_find(text, marker);
  if (!found)
    return adapter_fail(&self->base, "%s --version names no version of LLVM", self->tools[LLVM_OPT]);
  dloc_text rest = llvm_line_at(text, (size_t)(found - text.bytes) + sizeof marker - 1);
  size_t size = 0;
  while (size < rest.size && size + 1 < sizeof ret->version && rest.bytes[size] > ' ')
    size++;
  memcpy(ret->version, rest.bytes, size);
  ret->version[size] = '\0';
  strcpy(ret->name, "LLVM");
  return true;
}

/* The commit at the end of a line: "clang version 23.0.0git (https://github.com/llvm/llvm-project.git 1f3c5e2...)". */
static bool read_revision(dloc_text text, run_implementation *ret) {
  for (size_t end = 0, size = 0; end < text.size; end++) {
    bool is_end = text.bytes[end] == ')' && size >= 7 && size < sizeof ret->revision;
    if (is_end && size < end && (text.bytes[end - size - 1] == ' ' || text.bytes[end - size - 1] == '(')) {
      memcpy(ret->revision, text.bytes + end - size, size);
      return true;
    }
    bool is_digit =
        (text.bytes[end] >= '0' && text.bytes[end] <= '9') || (text.bytes[end] >= 'a' && text.bytes[end] <= 'f');
    size = is_digit ? size + 1 : 0;
  }
  return false;
}

static const char atoms_module[] =
    "!llvm.module.flags = !{!1}\n!named = !{!4}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)\n"
    "!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!2 = !DIFile(filename: \"a.c\", directory: \"b\")\n"
    "!3 = distinct !DISubprogram(name: \"f\", scope: !2, type: !5, unit: !0, spFlags: DISPFlagDefinition, keyInstructions: "
    "true)\n"
    "!4 = !DILocation(line: 1, scope: !3, atomGroup: 1, atomRank: 1)\n!5 = !DISubroutineType(types: null)\n!llvm.dbg.cu = !{!0}\n";

/* Does opt with one more option (or none) take this module? */
static bool takes(llvm_adapter *self, const char *option, const char *module) {
  char *argv[] = {self->tools[LLVM_OPT], llvm_argument("-S"), llvm_argument("-"), option ? llvm_argument(option) : NULL,
                  NULL};
  OWNED(process_end) process child = {0};
  return llvm_ask(self, argv, dloc_text_of(module), &child) && process_ended_well(&child);
}

/* Seconds of processor time of all that has ended. */
static double children_cpu(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* The smallest merge of three: opt works, and this says whether it hoists from a switch. */
static bool try_merge(llvm_adapter *self) {
  OWNED(process_end) process child = {0};
  char *argv[LLVM_MOST_ARGUMENTS];
  llvm_arguments(self, llvm_merge, false, false, argv);
  double before = children_cpu();
  if (!run_tool(self, argv, llvm_three_calls, &child))
    return false;
  self->start_cpu = children_cpu() - before;
  size_t calls = 0;
  for (dloc_text rest = buffer_text(&child.output); rest.size;)
    calls += text_find(text_take_line(&rest), "call void @dloc.case(i32 7)") != NULL;
  if (calls != 1 && calls != 3)
    return adapter_fail(&self->base, "%s printed an unexpected result for a simple module", self->tools[LLVM_OPT]);
  self->wide_switch = calls == 1;
  return true;
}

static void find_tools(llvm_adapter *self) {
  for (int i = 0; i < LLVM_TOOL_COUNT; i++)
    self->tools[i] = self->directory ? text_format("%s/%s", self->directory, llvm_tool_name((enum llvm_tool)i))
                                     : memory_copy(dloc_text_of(llvm_tool_name((enum llvm_tool)i)));
}

/* A tool's own words about its version. The caller ends the process. */
static bool ask_version(llvm_adapter *self, enum llvm_tool tool, process *ret) {
  char *argv[] = {self->tools[tool], llvm_argument("--version"), NULL};
  return run_tool(self, argv, "", ret);
}

/* LLVM's own tools do not say from which commit they are; the clang beside them does. */
static void ask_clang(const llvm_adapter *self, run_implementation *ret) {
  OWNED(memory_release) char *path = self->directory ? text_format("%s/clang", self->directory) : NULL;
  OWNED(process_end) process child = {0};
  if (path && access(path, X_OK) == 0 &&
      process_run((char *[]){path, llvm_argument("--version"), NULL}, dloc_text_of(""), self->base.settings->timeout,
                  LLVM_OUTPUT_LIMIT, &child) == 0)
    read_revision(buffer_text(&child.output), ret);
}

static bool find_version(llvm_adapter *self, run_implementation *ret) {
  OWNED(process_end) process child = {0};
  if (!ask_version(self, LLVM_OPT, &child) || !read_version(self, buffer_text(&child.output), ret))
    return false;
  if (!read_revision(buffer_text(&child.output), ret))
    ask_clang(self, ret);
  return true;
}

/* llvm-as is needed; llc and llvm-dis make more to be seen. */
static bool find_others(llvm_adapter *self) {
  OWNED(process_end) process assembler = {0}, child = {0};
  if (!ask_version(self, LLVM_AS, &assembler))
    return false;
  for (int i = 0; i < LLVM_TOOL_COUNT; i++)
    self->has[i] = i == LLVM_OPT || i == LLVM_AS || access(self->tools[i], X_OK) == 0;
  if (!self->has[LLVM_LLC])
    return true;
  if (!ask_version(self, LLVM_LLC, &child))
    return false;
  self->facts = text_find(buffer_text(&child.output), "nvptx64") ? LLVM_HAS_DIRECTIVES : 0;
  return true;
}

static uint64_t find_capabilities(llvm_adapter *self) {
  uint64_t found = VECTOR_NEED_BIT(VECTOR_NEED_LAYERS) | VECTOR_NEED_BIT(VECTOR_NEED_RECORDS);
  found |= self->facts & LLVM_IRLAYERS ? VECTOR_NEED_BIT(VECTOR_NEED_IRLAYERS) : 0;
  for (int op = 0; op < VECTOR_OP_COUNT; op++) {
    const llvm_recipe *recipes = self->hides && !dropin_shows((vector_op)op) ? NULL : llvm_recipes_of((vector_op)op);
    for (size_t i = 0; recipes && recipes[i].most; i++)
      found |= llvm_can_run(self, &recipes[i]) ? VECTOR_NEED_BIT((unsigned)op) : 0;
  }
  /* Releases that know one mostly know both, so that one question is enough. */
  if (takes(self, llvm_pick_option, atoms_module))
    found |= VECTOR_NEED_BIT(VECTOR_NEED_ATOMS) | VECTOR_NEED_BIT(VECTOR_NEED_PICK);
  else if (takes(self, NULL, atoms_module))
    found |= VECTOR_NEED_BIT(VECTOR_NEED_ATOMS);
  else if (takes(self, llvm_pick_option, ""))
    found |= VECTOR_NEED_BIT(VECTOR_NEED_PICK);
  return found;
}

static void recognise(llvm_adapter *self, run_implementation *found) {
  llvm_recognise(self, found);
  if (self->facts & (LLVM_LAYERS | LLVM_IRLAYERS) && !strchr(found->version, ' '))
    strncat(found->version, self->facts & LLVM_IRLAYERS ? " with irlayers" : " with layers",
            sizeof found->version - strlen(found->version) - 1);
  if (self->hides)
    dropin_recognise(found);
  found->capabilities = find_capabilities(self);
}

bool llvm_start(adapter *a, run_implementation *ret) {
  llvm_adapter *self = (llvm_adapter *)a;
  run_implementation found = {.capabilities = 0};
  find_tools(self);
  if (!find_version(self, &found) || !find_others(self) || !try_merge(self))
    return false;
  recognise(self, &found);
  *ret = found;
  return true;
}

void llvm_correct(adapter *a, run_implementation *found) {
  llvm_adapter *self = (llvm_adapter *)a;
  self->facts |= LLVM_LAYERS;
  recognise(self, found);
}
