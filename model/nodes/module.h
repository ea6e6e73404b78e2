/* Private to model/: how a module stores what was read or built. Shared by module.c and model/ll. */
#pragma once

#include "metadata.h"

/* A bit of dloc_instruction.flags that is not public: the DebugLoc is no longer the one in the text. */
#define INSTRUCTION_CHANGED ((uint32_t)1 << 31)

/* The facts about `!N`. While a text is read, node is the forward node until the definition is met, with
 * SLOT_UNDEFINED set. A slot with neither node nor place has never been met; one with a place only has been met in an
 * instruction. */
typedef struct slot {
  dloc_node node; /* DLOC_NULL: the definition was dropped, and is not written */
  uint32_t place; /* offset of the definition; before it is met, of the first reference */
} slot;

#define SLOT_UNDEFINED ((uint32_t)1 << 31)

/* Slots by number. Numbers below flat_limit index the array; others, which only an odd text has, go through a hash
 * table, so that `!4294967295` costs one slot. A slot's index is its number, or flat_limit + its position among the
 * others. */
typedef struct numbering {
  ARRAY(slot) flat;
  size_t flat_limit;
  ARRAY(slot) sparse;
  ARRAY(uint32_t) sparse_numbers;
  map sparse_index;    /* number -> position in sparse */
  uint32_t *number_of; /* node -> slot index + 1 of its first definition, 0 for none; made when first asked for */
  size_t number_of_count;
} numbering;

typedef struct named_list {
  dloc_named_metadata metadata;
  uint32_t in_text; /* how many of its operands the text has; the writer adds the others */
  bool dropped;     /* the text's definitions of it are left out */
} named_list;

/* A definition of named metadata in the text. */
typedef struct named_place {
  uint32_t place; /* offset of its `!` */
  uint32_t list;  /* index into the module's lists */
} named_place;

/* Lines before each block of LINE_BLOCK bytes of the text, made when a place is asked for. */
enum { LINE_BLOCK = 4096 };
typedef struct line_block {
  uint32_t lines;      /* newlines before the block */
  uint32_t line_start; /* offset of the byte after the last of them */
} line_block;

typedef ARRAY(dloc_attachment) attachment_list;

struct dloc_module {
  dloc_context *context;

  ARRAY(dloc_function) functions;
  map function_index; /* hash of the name, attempt -> function */
  uint32_t current_function;

  ARRAY(dloc_instruction) instructions;

  ARRAY(dloc_node) metadata_operands; /* of instructions */

  attachment_list attachments; /* of instructions */
  attachment_list function_attachments;
  attachment_list global_attachments;

  ARRAY(named_list) named;
  map named_index;           /* name -> position */
  ARRAY(dloc_node) operands; /* of named metadata */

  /* The text it was read from; all empty for a module that was built. */
  dloc_text text;
  numbering numbers;
  size_t functions_in_text;
  size_t summary;                  /* where lines with `^0 = ...` begin that end the text; 0: it has none */
  map stand_ins;                   /* node -> the one that is printed as its definition */
  ARRAY(uint32_t) definitions;     /* slot indices in the order of their definitions in the text */
  ARRAY(named_place) named_places; /* in the order of the text */
  line_block *lines;
  size_t line_block_count;
};

/* The content of a function has been begun: distinguishes `declare void @f()` from a mere call of it. */
#define FUNCTION_BEGUN ((uint32_t)1 << 31)
/* It cannot be replaced although its linkage is external: a reader's word to module_settle_interposition. */
#define FUNCTION_DSO_LOCAL ((uint32_t)1 << 30)

/* The slot of a number, made if need be; its index goes to *ret. */
dloc_status numbering_slot(dloc_module *module, uint32_t number, uint32_t *ret);
slot *numbering_at(const dloc_module *module, uint32_t index);
uint64_t numbering_number(const dloc_module *module, uint32_t index);
bool numbering_find(const dloc_module *module, uint64_t number, uint32_t *ret);
/* From now on a slot's number defines another node. */
void numbering_redefine(dloc_module *module, uint32_t index, dloc_node node);

/* As dloc_module_add_attachment: an operand of the last instruction, and an attachment of the last global. */
dloc_status module_add_metadata_operand(dloc_module *module, dloc_node node);
dloc_status module_add_global_attachment(dloc_module *module, dloc_text kind, dloc_node node);

/* The operands of an instruction that are metadata, in order. A debug record has, besides its variable and location, a
 * value and an expression; an assignment then has id, address and the expression of the address. DLOC_NULL stands for a
 * value of the function's own, and for an operand that is not there. Only a module that was read from text knows them. */
size_t module_metadata_operand_count(const dloc_module *module, size_t instruction);
dloc_node module_metadata_operand(const dloc_module *module, size_t instruction, size_t index);
/* An attachment of a function, by its index among them. */
dloc_attachment module_function_attachment(const dloc_module *module, size_t function, size_t index);

/* Remember where the text defines that named metadata: in the order of the text. */
dloc_status module_note_named(dloc_module *module, dloc_text name, uint32_t place);

/* Remember that a numbered node is defined: in the order of the definitions. index is that of its slot. */
dloc_status module_note_definition(dloc_module *module, uint32_t index);

/* The flags (dloc_instruction_flag) that a call of the function of that name has: those of some of LLVM's own functions
 * mean something for debug locations; 0 for any other function. */
uint32_t intrinsic_flags(dloc_text name);

/* Make function_index anew after functions were put into another order. */
dloc_status module_index_functions(dloc_module *module);

/* dloc_module_set_debug_loc, if it is another one; dloc_module_change_locations for the loops of an instruction that
 * were not seen yet. */
dloc_status module_change_location(dloc_module *module, uint32_t instruction, dloc_node debug_loc);
dloc_status module_change_loops(dloc_module *module, uint32_t instruction, map *seen, dloc_change_location *change,
                                void *user);

/* The line and column of an offset of the text. */
dloc_place module_place(const dloc_module *module, size_t offset);

/* The value of a flag of `!llvm.module.flags`; DLOC_NULL: there is none. */
dloc_node module_flag(const dloc_module *module, const char *name);
/* Mark the functions that may be replaced, if `!llvm.module.flags` says so of those with external linkage. */
void module_settle_interposition(dloc_module *module);

/* Every node that the module holds, but those that have numbers: visit may put another one in its place. */
typedef dloc_status visit_node(void *user, dloc_node *node);
dloc_status module_visit_nodes(dloc_module *module, visit_node *visit, void *user);

/* Every node that the module reaches: where *ret becomes another one, that stands in for the node. */
typedef dloc_status change_node(void *user, dloc_node node, dloc_node *ret);
dloc_status module_change_nodes(dloc_module *module, change_node *change, void *user);
