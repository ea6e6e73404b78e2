/* input.c - files and modules for the subcommands, and diagnostics about them. */
#define _DEFAULT_SOURCE /* madvise */
#include "document/buffer.h"
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool unreadable(const char *name, int error) {
  tool_error("cannot read %s: %s", name, strerror(error));
  return false;
}

/* How many bytes a pipe or a device may give, which can be endless; in bytes by DLOC_INPUT_LIMIT. */
static size_t stream_limit(void) {
  const char *chosen = getenv("DLOC_INPUT_LIMIT");
  unsigned long long limit = chosen ? strtoull(chosen, NULL, 10) : 0;
  return limit && limit < UINT32_MAX ? (size_t)limit : UINT32_MAX;
}

/* Read to the end of what cannot be mapped. */
static bool read_stream(int descriptor, tool_input *input) {
  const size_t limit = stream_limit();
  static char part[1 << 16];
  dloc_buffer text = {.bytes = memory_allocate(1, 1)}; /* an empty one has bytes, too */
  ssize_t got = 1;
  while (got > 0 && text.size <= limit) {
    while ((got = read(descriptor, part, sizeof part)) < 0 && errno == EINTR) {
    }
    buffer_put(&text, (dloc_text){part, got > 0 ? (size_t)got : 0});
  }
  input->text = buffer_text(&text);
  if (text.size <= limit && got == 0)
    return true;
  if (text.size > limit)
    tool_error("cannot read %s: it has more than %zu bytes, the limit for what is no regular file (DLOC_INPUT_LIMIT)",
               input->name, limit);
  else
    unreadable(input->name, errno);
  dloc_buffer_deinit(&text);
  return false;
}

static bool map_or_read(int descriptor, tool_input *input) {
  struct stat status;
  if (fstat(descriptor, &status) < 0)
    return unreadable(input->name, errno);
  if (S_ISREG(status.st_mode) && status.st_size > 0 && lseek(descriptor, 0, SEEK_CUR) == 0) {
    size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      input->text = (dloc_text){bytes, size};
      input->mapped = true;
      return true;
    }
  }
  return read_stream(descriptor, input);
}

bool tool_input_open(const char *path, tool_input *ret) {
  bool standard = strcmp(path, "-") == 0;
  tool_input input = {.name = standard ? "<stdin>" : path};
  int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return unreadable(path, errno);
  bool fine = map_or_read(descriptor, &input);
  if (!standard)
    close(descriptor);
  if (fine)
    *ret = input;
  return fine;
}

tool_input tool_input_required(const char *path) {
  tool_input input;
  if (!tool_input_open(path, &input))
    tool_exit(TOOL_UNUSABLE);
  return input;
}

tool_input tool_input_lend(const tool_input *input) {
  tool_input lent = *input;
  lent.lent = true;
  return lent;
}

bool tool_is_regular(const char *path) {
  struct stat status;
  return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

void tool_require_rereadable(const char *path) {
  struct stat status;
  if (strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
    tool_fail("%s is read more than once, so it must be a regular file or a folder", path);
}

void tool_input_close(tool_input *input) {
  if (input->lent)
    ;
  else if (input->mapped)
    munmap((void *)input->text.bytes, input->text.size);
  else
    free((void *)input->text.bytes);
  *input = (tool_input){.name = NULL};
}

char *tool_counted(dloc_reason reason, size_t count) {
  const char *text = dloc_reason_text(reason);
  return count > 1 ? text_format("%s, %zu times", text, count) : memory_copy(dloc_text_of(text));
}

int tool_reject(const tool_input *input, const dloc_place *place, dloc_reason reason) {
  tool_diagnose(input, place, "error", dloc_reason_text(reason), dloc_reason_name(reason));
  return TOOL_VIOLATION;
}

dloc_status tool_diagnose_node(void *module, dloc_reason reason, uint32_t instruction, dloc_node node) {
  bool soft = dloc_reason_severity(reason) == DLOC_SEVERITY_SOFT;
  tool_diagnose_as(module, soft ? "warning" : "error", reason, instruction, node);
  return DLOC_OK;
}

void tool_diagnose_as(tool_module *module, const char *level, dloc_reason reason, uint32_t instruction,
                      dloc_node node) {
  dloc_violation violation = dloc_violation_of(reason, instruction, node);
  const dloc_diagnosis *diagnosis = NULL;
  dloc_status status = DLOC_OK;
  if (!module->diagnoser)
    status = dloc_diagnoser_create(module->module, dloc_profile_at(0), &module->diagnoser);
  if (status == DLOC_OK)
    status = dloc_diagnose(module->diagnoser, &violation, &diagnosis);
  tool_require(status, module->input.name);
  tool_show(&module->input, level, diagnosis, dloc_reason_name(reason));
}

int tool_reason_status(dloc_reason reason) {
  static const dloc_reason unusable[] = {
      DLOC_REASON_TEXT_SYNTAX,        DLOC_REASON_TEXT_ENCODING,        DLOC_REASON_TEXT_LIMIT,
      DLOC_REASON_TEXT_TRUNCATED,     DLOC_REASON_OBJECT_ELF,           DLOC_REASON_OBJECT_COMPRESSED,
      DLOC_REASON_OBJECT_RELOCATIONS, DLOC_REASON_BITCODE_MAGIC,        DLOC_REASON_BITCODE_TRUNCATED,
      DLOC_REASON_BITCODE_BLOCK,      DLOC_REASON_BITCODE_ABBREVIATION, DLOC_REASON_BITCODE_RECORD,
      DLOC_REASON_BITCODE_ID,         DLOC_REASON_BITCODE_UNKNOWN,      DLOC_REASON_BITCODE_OTHER_MODULE};
  for (size_t i = 0; i < sizeof unusable / sizeof *unusable; i++)
    if (unusable[i] == reason)
      return TOOL_UNUSABLE;
  return TOOL_VIOLATION;
}

int tool_explain(dloc_status status, const tool_input *input, const dloc_diagnostic *diagnostic) {
  if (status != DLOC_INVALID)
    return tool_failure(status, input->name);
  dloc_diagnosis diagnosis = tool_diagnosis_of(input, diagnostic);
  tool_show(input, "error", &diagnosis, dloc_reason_name(diagnostic->reason));
  return tool_reason_status(diagnostic->reason);
}

/* The pages of what was read are given back at once: the text takes no memory beside what is made of it. */
static void give_back(void *user, dloc_text part) {
  const tool_input *input = user;
  size_t page = (size_t)sysconf(_SC_PAGESIZE), from = (size_t)(part.bytes - input->text.bytes) / page * page;
  if (input->mapped)
    (void)madvise((void *)(input->text.bytes + from), part.size, MADV_DONTNEED);
}

static dloc_status read_with(tool_module *module, const dloc_profile *profile, dloc_diagnostic *diagnostic) {
  module->module = NULL;
  module->context = memory_context();
  module->profile = profile;
  if (profile)
    dloc_context_set_profile(module->context, profile);
  dloc_text text = module->input.text;
  if (dloc_is_bitcode(text))
    return dloc_read_bitcode(module->context, profile, text, diagnostic, &module->module, NULL);
  dloc_context_set_passed(module->context, give_back, &module->input);
  dloc_status status = dloc_read_ll(module->context, text, diagnostic, &module->module);
  dloc_context_set_passed(module->context, NULL, NULL); /* the module may move */
  return status;
}

static void forget(tool_module *module) {
  dloc_module_destroy(module->module);
  dloc_context_destroy(module->context);
}

/* Bitcode with lists that other rules than theirs do not read at all. */
static dloc_status read_lists(tool_module *module, const dloc_profile *profile) {
  tool_module other = *module;
  dloc_diagnostic unsaid; /* the other rules' diagnostic stands */
  bool fits = read_with(&other, profile, &unsaid) == DLOC_OK && dloc_has_lists(other.context);
  forget(fits ? module : &other);
  *module = fits ? other : *module;
  return fits ? DLOC_OK : DLOC_INVALID;
}

/* Ends the program when the file begins as one that is no module. */
static void refuse_others(const tool_input *input) {
  static const char *const others[][2] = {
      {"\177ELF", "an ELF file, not a module: `dloc lines`, `symbolize`, `source` and `browse` read these"},
      {"!<arch>\n", "an archive: take its members out with `ar x`"},
      {"!<thin>\n", "a thin archive: name one of its members, which `ar t` lists"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (input->text.size >= strlen(others[i][0]) && memcmp(input->text.bytes, others[i][0], strlen(others[i][0])) == 0)
      tool_fail("%s is %s", input->name, others[i][1]);
}

dloc_status tool_module_read(tool_module *module, const dloc_profile *profile, dloc_diagnostic *diagnostic) {
  const dloc_profile *for_lists = profile ? tool_profile_for(TOOL_FOR_LISTS) : NULL;
  refuse_others(&module->input);
  dloc_status status = read_with(module, profile, diagnostic);
  if (for_lists && module->module && dloc_has_lists(module->context)) {
    forget(module);
    status = read_with(module, for_lists, diagnostic);
  } else if (for_lists && status == DLOC_INVALID && dloc_is_bitcode(module->input.text)) {
    status = read_lists(module, for_lists);
  }
  give_back(&module->input, module->input.text); /* little of the text is needed again */
  return status;
}

void tool_module_require(tool_module *module, const dloc_profile *profile) {
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(module, profile, &diagnostic);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &module->input, &diagnostic));
}

tool_module tool_module_open(const char *path, const dloc_profile *profile) {
  tool_module module = {.input = tool_input_required(path)};
  tool_module_require(&module, profile);
  return module;
}

tool_module tool_parse_module(int argc, char **argv, const tool_usage *usage, const tool_option *options,
                              const dloc_profile *profile) {
  tool_parse(argc, argv, usage, options);
  return tool_module_open(argv[0], profile);
}

tool_module tool_module_open_text(const char *path, const dloc_profile *profile) {
  tool_module module = tool_module_open(path, profile);
  if (dloc_is_bitcode(module.input.text))
    tool_fail("%s is bitcode; this command needs the text of a module, from llvm-dis", path);
  return module;
}

int tool_module_close(tool_module *module, int status) {
  dloc_diagnoser_destroy(module->diagnoser);
  dloc_module_destroy(module->module);
  dloc_context_destroy(module->context);
  tool_input_close(&module->input);
  return status;
}
