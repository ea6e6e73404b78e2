/* Private to model/objects/elf: DIEs as libdw reads them, becoming those that the rules know. */
#pragma once

#include "elf.h"

#include <elfutils/libdw.h>

/* The data of a DIE until the list is complete. */
typedef struct die_note {
  Dwarf_Die origin;
  bool has_origin;
  size_t first_range;
} die_note;

/* Zero-initialise, but for the context. */
typedef struct die_list {
  dloc_context *context;
  ARRAY(dloc_die) dies;
  ARRAY(die_note) notes; /* as many */
  ARRAY(dloc_address_range) ranges;
  map numbers;  /* where a DIE lies in memory: its number */
  bool trouble; /* some attribute could not be read */
} die_list;

/* The text of an attribute that is one; NULL has none. */
dloc_text die_text(Dwarf_Attribute *attribute);
/* Add a DIE with what its attributes say. */
dloc_status die_list_add(die_list *list, Dwarf_Die *die, dloc_die_tag tag, uint32_t parent);
/* All are there: add what origins name beyond them, and put origins and ranges into the DIEs. */
dloc_status die_list_complete(die_list *list);
void die_list_deinit(die_list *list);
