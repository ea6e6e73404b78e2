/* The locations of a module become others: those of its instructions, and in their loop ids. */
#include "nodes/module.h"

/* A loop id is a distinct tuple, so its operands can be replaced where they stand. */
static dloc_status change_loop(dloc_module *module, uint32_t instruction, dloc_node loop, dloc_change_location *change,
                               void *user) {
  dloc_context *context = module->context;
  for (size_t i = 1; dloc_node_is_distinct(context, loop) && i < operand_count(context, loop); i++) {
    dloc_node operand = operand_at(context, loop, i), changed = DLOC_NULL;
    if (!operand || dloc_debug_loc_shape(context, operand) == DLOC_SHAPE_NONE)
      continue;
    TRY(change(user, instruction, operand, &changed));
    if (changed != operand)
      TRY(dloc_set_operand(context, loop, i, changed));
  }
  return DLOC_OK;
}

dloc_status module_change_loops(dloc_module *module, uint32_t instruction, map *seen, dloc_change_location *change,
                                void *user) {
  for (size_t i = 0; i < dloc_module_attachment_count(module, instruction); i++) {
    dloc_attachment attachment = dloc_module_attachment(module, instruction, i);
    bool first = false;
    if (dloc_text_equal(dloc_node_text(module->context, attachment.kind), dloc_text_of(DLOC_LOOP)))
      TRY(map_meet(module->context, seen, attachment.node, 0, &first));
    if (first)
      TRY(change_loop(module, instruction, attachment.node, change, user));
  }
  return DLOC_OK;
}

dloc_status module_change_location(dloc_module *module, uint32_t instruction, dloc_node debug_loc) {
  bool same = module->instructions.items[instruction].debug_loc == debug_loc;
  return same ? DLOC_OK : dloc_module_set_debug_loc(module, instruction, debug_loc);
}

/* `hide.record`, `hide.loop` */
dloc_status dloc_module_change_locations(dloc_module *module, dloc_change_location *change, void *user) {
  map loops = {0};
  OWNED_MEMORY(module->context, &loops.entries);
  for (size_t i = 0; i < module->instructions.count; i++) {
    dloc_node location = module->instructions.items[i].debug_loc, changed = location;
    if (location)
      TRY(change(user, (uint32_t)i, location, &changed));
    TRY(module_change_location(module, (uint32_t)i, changed));
    TRY(module_change_loops(module, (uint32_t)i, &loops, change, user));
  }
  return DLOC_OK;
}
