/* Units and their DIEs, by libdw: spec/lines.md 14 has the rules. */
#include "die_list.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* DIEs that are deeper than this are no compiler's. libdw walks over what is below a DIE to find the next one. */
#define MOST_DEPTH 512

struct dloc_debug_info {
  dloc_context *context;
  dloc_object *object;
  Dwarf *dwarf; /* NULL: there is no .debug_info */
  dloc_line_problem *on_problem;
  void *user;
  die_list unit_dies;     /* the units' own */
  ARRAY(Dwarf_Die) roots; /* of each: where its scopes are; without an address: nowhere */
  ARRAY(debug_unit) units;
  die_list *lists; /* of each that was read */
  dloc_stacks *stacks;
};

static dloc_status problem(const dloc_debug_info *info, dloc_reason reason, uint64_t at) {
  return info->on_problem ? info->on_problem(info->user, reason, (size_t)at) : DLOC_OK;
}

/* libdw has no public number for a lack of memory, but malloc tells errno, which is 0 before. */
static dloc_status unreadable(const dloc_debug_info *info, uint64_t at) {
  return errno == ENOMEM ? DLOC_NO_MEMORY : problem(info, DLOC_REASON_STACK_UNREADABLE, at);
}

/* A file with DIEs is not there. */
static dloc_status missing(const dloc_debug_info *info, const char *name, uint64_t at) {
  info->object->missing = dloc_text_of(name ? name : "");
  dloc_status status = problem(info, DLOC_REASON_STACK_SPLIT, at);
  info->object->missing = (dloc_text){NULL, 0};
  return status;
}

/* ---- The DIEs of a unit ---- */

/* A walk through the tree, without recursion. Offsets only rise, so it ends. */
typedef struct die_walk {
  dloc_debug_info *info;
  die_list *list;
  ARRAY(struct die_level {
    Dwarf_Die die;
    uint32_t parent; /* of the DIEs in it */
  })
  levels;
  Dwarf_Off last;
  bool deep;
} die_walk;

static bool tag_of(Dwarf_Die *die, dloc_die_tag *ret) {
  switch (dwarf_tag(die)) {
  case DW_TAG_subprogram:
    *ret = DLOC_DIE_SUBPROGRAM;
    return true;
  case DW_TAG_inlined_subroutine:
    *ret = DLOC_DIE_INLINED;
    return true;
  case DW_TAG_lexical_block:
  case DW_TAG_try_block:
  case DW_TAG_catch_block:
  case DW_TAG_with_stmt:
    *ret = DLOC_DIE_OTHER;
    return true;
  default:
    return false;
  }
}

/* The DIE itself, and that its children come next. */
static dloc_status visit(die_walk *w, Dwarf_Die *die, uint32_t parent) {
  dloc_die_tag tag;
  if (tag_of(die, &tag)) {
    TRY(die_list_add(w->list, die, tag, parent));
    parent = (uint32_t)w->list->dies.count - 1;
  }
  if (w->levels.count == MOST_DEPTH && !w->deep) {
    w->deep = true;
    TRY(problem(w->info, DLOC_REASON_STACK_DEPTH, dwarf_dieoffset(die)));
  }
  if (w->levels.count < MOST_DEPTH)
    PUSH(w->info->context, w->levels, (struct die_level){*die, parent});
  return DLOC_OK;
}

/* Whether there is a DIE to go on with, from what libdw says of it: 0 there is, 1 there is none. */
static dloc_status go_on(die_walk *w, int said, Dwarf_Die *next, bool *ret) {
  *ret = said == 0 && dwarf_dieoffset(next) > w->last;
  if (*ret)
    w->last = dwarf_dieoffset(next);
  return *ret || said > 0 ? DLOC_OK : unreadable(w->info, w->last);
}

static dloc_status walk(die_walk *w, Dwarf_Die *root) {
  Dwarf_Die die = *root;
  uint32_t parent = DLOC_NO_DIE;
  bool found = true, below = true;
  w->last = dwarf_dieoffset(root);
  PUSH(w->info->context, w->levels, (struct die_level){die, parent});
  while (w->levels.count) {
    Dwarf_Die next;
    struct die_level top = w->levels.items[w->levels.count - 1];
    TRY(go_on(w, below ? dwarf_child(&top.die, &next) : dwarf_siblingof(&die, &next), &next, &found));
    if (found) {
      size_t depth = w->levels.count;
      TRY(visit(w, &next, top.parent));
      below = w->levels.count > depth && dwarf_haschildren(&next) > 0;
      w->levels.count = below ? w->levels.count : depth;
      die = next;
    } else {
      die = top.die;
      w->levels.count--;
      below = false;
    }
  }
  return DLOC_OK;
}

static dloc_status read_dies(dloc_debug_info *info, uint32_t unit, die_list *list) {
  die_walk w = {.info = info, .list = list};
  errno = 0;
  OWNED_MEMORY(info->context, &w.levels.items);
  if (info->roots.items[unit].addr)
    TRY(walk(&w, &info->roots.items[unit]));
  TRY(die_list_complete(list));
  return list->trouble ? unreadable(info, info->units.items[unit].offset) : DLOC_OK;
}

/* A dloc_dies_of. */
static dloc_status dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count) {
  dloc_debug_info *info = user;
  die_list *list = &info->lists[unit];
  die_list_deinit(list); /* of a reading that failed */
  *list = (die_list){.context = info->context};
  TRY(read_dies(info, unit, list));
  *ret = list->dies.items;
  *ret_count = (uint32_t)list->dies.count;
  return DLOC_OK;
}

/* A dloc_line_problem of the stacks. */
static dloc_status stack_problem(void *user, dloc_reason reason, size_t at) { return problem(user, reason, at); }

/* ---- Units ---- */

static dloc_status add_unit(dloc_debug_info *info, Dwarf_Die *die, const Dwarf_Die *root) {
  Dwarf_Attribute attribute;
  Dwarf_Word lines = 0;
  bool has_lines = dwarf_attr(die, DW_AT_stmt_list, &attribute) && dwarf_formudata(&attribute, &lines) == 0;
  debug_unit unit = {.offset = dwarf_dieoffset(die), .has_lines = has_lines, .lines = lines};
  unit.name = die_text(dwarf_attr(die, DW_AT_name, &attribute));
  unit.directory = die_text(dwarf_attr(die, DW_AT_comp_dir, &attribute));
  TRY(die_list_add(&info->unit_dies, die, DLOC_DIE_UNIT, DLOC_NO_DIE));
  PUSH(info->context, info->units, unit);
  PUSH(info->context, info->roots, *root);
  return DLOC_OK;
}

/* libdw would wait for what a pipe or a device gives. */
static bool is_endless(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The name of the .dwo file; NULL: it has none, or must not be opened. libdw looks for the name, then in the folder. */
static const char *split_name(Dwarf_Die *die, bool *ret_endless) {
  Dwarf_Attribute a;
  const char *name = die_text(dwarf_attr(die, DW_AT_dwo_name, &a)).bytes;
  name = name ? name : die_text(dwarf_attr(die, DW_AT_GNU_dwo_name, &a)).bytes;
  const char *folder = die_text(dwarf_attr(die, DW_AT_comp_dir, &a)).bytes;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name ? name : "");
  *ret_endless = name && (is_endless(name) || is_endless(path));
  return name;
}

static dloc_status read_units(dloc_debug_info *info) {
  Dwarf_CU *unit = NULL, *next = NULL;
  Dwarf_Die die, split;
  uint8_t kind;
  bool endless = false;
  int said;
  uint64_t last = 0;
  for (; (said = dwarf_get_units(info->dwarf, unit, &next, NULL, &kind, &die, NULL)) == 0; unit = next) {
    last = dwarf_dieoffset(&die);
    split.addr = NULL;
    const char *name = kind == DW_UT_skeleton ? split_name(&die, &endless) : NULL;
    if (kind == DW_UT_skeleton && !endless)
      (void)dwarf_cu_info(next, NULL, NULL, NULL, &split, NULL, NULL, NULL);
    if (kind == DW_UT_skeleton && !split.addr)
      TRY(missing(info, name, last));
    if (kind == DW_UT_compile || kind == DW_UT_skeleton || kind == DW_UT_split_compile)
      TRY(add_unit(info, &die, kind == DW_UT_skeleton ? &split : &die));
  }
  TRY(die_list_complete(&info->unit_dies));
  return said < 0 || info->unit_dies.trouble ? unreadable(info, last) : DLOC_OK;
}

/* ---- Files ---- */

/* The file with DIEs and strings of several programs, which dwz makes. libdw opens it when it needs it. */
static dloc_status find_shared(dloc_debug_info *info) {
  const char *name;
  const void *id;
  if (!info->dwarf || dwelf_dwarf_gnu_debugaltlink(info->dwarf, &name, &id) <= 0)
    return DLOC_OK;
  const bool endless = is_endless(name);
  if (!endless && dwarf_getalt(info->dwarf))
    return DLOC_OK;
  if (endless) {
    dwarf_end(info->dwarf);
    info->dwarf = NULL;
  }
  return missing(info, name, 0);
}

/* libdw reads the sections as they are in memory, so they are decompressed and relocated first. Those of layers it does
 * not know. */
static dloc_status prepare(dloc_object *object, dloc_diagnostic *diagnostic) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
    GElf_Shdr header;
    const char *name = elf_section_name(object, section, &header);
    if (name && (strncmp(name, ".debug", 6) == 0 || strncmp(name, ".zdebug", 7) == 0) &&
        !elf_is_of_layer(dloc_text_of(name)) && header.sh_type != SHT_NOBITS &&
        elf_ndxscn(section) < object->section_count)
      TRY(elf_prepare(object, section, diagnostic));
  }
  return DLOC_OK;
}

dloc_code dloc_object_code(const dloc_object *object) {
  dloc_code code = {.address_size = object->kind.address_size, .begins_at_0 = object->kind.type == ET_REL};
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR && header.sh_addr == 0)
      code.begins_at_0 = true;
  }
  return code;
}

static dloc_status open_info(dloc_debug_info *info, dloc_object *object, const dloc_profile *profile,
                             dloc_diagnostic *diagnostic) {
  const dloc_code code = dloc_object_code(object);
  TRY(prepare(object, diagnostic));
  errno = 0;
  info->dwarf = dwarf_begin_elf(object->elf, DWARF_C_READ, NULL);
  TRY(find_shared(info));
  if (info->dwarf)
    TRY(read_units(info));
  size_t count = info->units.count;
  ALLOCATE_ITEMS(info->context, info->lists, count + 1);
  for (size_t i = 0; i < count; i++)
    info->lists[i] = (die_list){.context = info->context};
  return dloc_stacks_create(info->context, profile, &code, info->unit_dies.dies.items, (uint32_t)count, dies_of,
                            stack_problem, info, &info->stacks);
}

dloc_status dloc_debug_info_open(dloc_object *object, const dloc_profile *profile, dloc_line_problem *on_problem,
                                 void *user, dloc_diagnostic *diagnostic, dloc_debug_info **ret) {
  CREATE(object->context, dloc_debug_info, info, .context = object->context, .object = object, .on_problem = on_problem,
         .user = user, .unit_dies = {.context = object->context});
  RETURN_MADE(open_info(info, object, profile, diagnostic), info, dloc_debug_info_close, ret);
}

void dloc_debug_info_close(dloc_debug_info *info) {
  if (!info)
    return;
  dloc_stacks_destroy(info->stacks);
  for (size_t i = 0; info->lists && i < info->units.count; i++)
    die_list_deinit(&info->lists[i]);
  die_list_deinit(&info->unit_dies);
  dwarf_end(info->dwarf);
  CONTEXT_FREE(info->context, info->roots.items, info->units.items, info->lists, info);
}

const debug_unit *debug_info_units(const dloc_debug_info *info, uint32_t *ret_count) {
  *ret_count = (uint32_t)info->units.count;
  return info->units.items;
}

dloc_text dloc_object_missing(const dloc_object *object) { return object->missing; }

dloc_stacks *dloc_debug_info_stacks(const dloc_debug_info *info) { return info->stacks; }
