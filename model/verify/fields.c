/* SPEC.md, chapter 3: of which classes the operands of a subprogram and of a compile unit are. */
#include "verify.h"

#include "nodes/text.h"

/* ---- Classes ---- */

bool class_is(const verifier *v, dloc_node node, const char *names) {
  return text_is_among(dloc_node_class(v->context, node), names);
}

static bool is_type(const verifier *v, dloc_node node) {
  return kind_of(v, node) == DLOC_KIND_OTHER &&
         class_is(v, node,
                  "DIBasicType DIDerivedType DICompositeType DISubroutineType DIStringType DIFixedPointType "
                  "DISubrangeType");
}

static bool is_scope(const verifier *v, dloc_node node) {
  unsigned kind = kind_of(v, node);
  return dloc_is_local_scope(v->context, node) || kind == DLOC_KIND_FILE || kind == DLOC_KIND_COMPILE_UNIT ||
         is_type(v, node) || class_is(v, node, "DINamespace DIModule DICommonBlock");
}

static bool is_file(const verifier *v, dloc_node node) { return kind_of(v, node) == DLOC_KIND_FILE; }

static bool is_tuple(const verifier *v, dloc_node node) { return kind_of(v, node) == DLOC_KIND_TUPLE; }

static bool is_subroutine_type(const verifier *v, dloc_node node) { return class_is(v, node, "DISubroutineType"); }

static bool is_template_parameter(const verifier *v, dloc_node node) {
  return class_is(v, node, "DITemplateTypeParameter DITemplateValueParameter");
}

static bool is_import(const verifier *v, dloc_node node) { return class_is(v, node, "DIImportedEntity"); }

static bool is_global(const verifier *v, dloc_node node) { return class_is(v, node, "DIGlobalVariableExpression"); }

/* A retained node that has to belong to the subprogram: any but a type. */
static bool is_retained_entity(const verifier *v, dloc_node node) {
  bool imports = !DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_14);
  bool globals = DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_23);
  return class_is(v, node, "DILocalVariable DILabel") || (imports && is_import(v, node)) ||
         (globals && is_global(v, node));
}

static bool is_retained_node(const verifier *v, dloc_node node) {
  return is_retained_entity(v, node) || (DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_23) && is_type(v, node));
}

/* LLVM reads a tag as a number, too. */
static bool is_enumeration(const verifier *v, dloc_node node) {
  return class_is(v, node, "DICompositeType") &&
         text_is_among(dloc_node_text(v->context, dloc_field_value(v->context, node, "tag")),
                       "DW_TAG_enumeration_type 4");
}

/* A subprogram that is retained as a type is a declaration. */
static bool is_retained_type(const verifier *v, dloc_node node) {
  return is_type(v, node) || (kind_of(v, node) == DLOC_KIND_SUBPROGRAM && !subprogram_is_definition(v->context, node));
}

static bool is_macro(const verifier *v, dloc_node node) { return class_is(v, node, "DIMacro DIMacroFile"); }

/* ---- Tables of fields ---- */

typedef bool class_test(const verifier *v, dloc_node node);

/* A field that may be null: what it is, and when it is a list, what each element is. */
typedef struct field_rule {
  unsigned field; /* a row of fields.def */
  class_test *test;
  dloc_reason reason;
  class_test *element; /* NULL: no list */
  dloc_reason element_reason;
  dloc_reason local_reason; /* of an element that is local to a function (`verify.unit-local`); 0: it may be */
} field_rule;

static bool is_variable_type(const verifier *v, dloc_node node) {
  return is_type(v, node) && !is_subroutine_type(v, node);
}

static const field_rule variable_rules[] = {
    {FIELD_LOCAL_VARIABLE_file, is_file, DLOC_REASON_VARIABLE_FILE, NULL, 0, 0},
    {FIELD_LOCAL_VARIABLE_type, is_variable_type, DLOC_REASON_VARIABLE_TYPE, NULL, 0, 0},
};

static const field_rule label_rules[] = {
    {FIELD_LABEL_file, is_file, DLOC_REASON_LABEL_FILE, NULL, 0, 0},
};

static const field_rule subprogram_rules[] = {
    {FIELD_SUBPROGRAM_scope, is_scope, DLOC_REASON_SUBPROGRAM_SCOPE, NULL, 0, 0},
    {FIELD_SUBPROGRAM_file, is_file, DLOC_REASON_SUBPROGRAM_FILE, NULL, 0, 0},
    {FIELD_SUBPROGRAM_type, is_subroutine_type, DLOC_REASON_SUBPROGRAM_TYPE, NULL, 0, 0},
    {FIELD_SUBPROGRAM_containingType, is_type, DLOC_REASON_SUBPROGRAM_CONTAINING_TYPE, NULL, 0, 0},
    {FIELD_SUBPROGRAM_templateParams, is_tuple, DLOC_REASON_SUBPROGRAM_TEMPLATE_PARAMS, is_template_parameter,
     DLOC_REASON_SUBPROGRAM_TEMPLATE_PARAMETER, 0},
    {FIELD_SUBPROGRAM_retainedNodes, is_tuple, DLOC_REASON_SUBPROGRAM_RETAINED_LIST, is_retained_node,
     DLOC_REASON_SUBPROGRAM_RETAINED_NODE, 0},
    {FIELD_SUBPROGRAM_thrownTypes, is_tuple, DLOC_REASON_SUBPROGRAM_THROWN_LIST, is_type,
     DLOC_REASON_SUBPROGRAM_THROWN_TYPE, 0},
};

static const field_rule unit_rules[] = {
    {FIELD_COMPILE_UNIT_file, is_file, DLOC_REASON_UNIT_FILE, NULL, 0, 0},
    {FIELD_COMPILE_UNIT_enums, is_tuple, DLOC_REASON_UNIT_ENUMS, is_enumeration, DLOC_REASON_UNIT_ENUM,
     DLOC_REASON_UNIT_LOCAL_ENUM},
    {FIELD_COMPILE_UNIT_retainedTypes, is_tuple, DLOC_REASON_UNIT_RETAINED_TYPES, is_retained_type,
     DLOC_REASON_UNIT_RETAINED_TYPE, 0},
    {FIELD_COMPILE_UNIT_globals, is_tuple, DLOC_REASON_UNIT_GLOBALS, is_global, DLOC_REASON_UNIT_GLOBAL,
     DLOC_REASON_UNIT_LOCAL_GLOBAL},
    {FIELD_COMPILE_UNIT_imports, is_tuple, DLOC_REASON_UNIT_IMPORTS, is_import, DLOC_REASON_UNIT_IMPORT,
     DLOC_REASON_UNIT_LOCAL_IMPORT},
    {FIELD_COMPILE_UNIT_macros, is_tuple, DLOC_REASON_UNIT_MACROS, is_macro, DLOC_REASON_UNIT_MACRO, 0},
};

/* The scope of a node; of a global variable, its variable's. */
static dloc_node scope_of(const verifier *v, dloc_node node) {
  return dloc_scope_parent(v->context, is_global(v, node) ? dloc_field_value(v->context, node, "var") : node);
}

/* `verify.unit-local` */
static bool is_misplaced_local(const verifier *v, dloc_node node) {
  return DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_23) && dloc_is_local_scope(v->context, scope_of(v, node));
}

/* The reason of the first element that is wrong. One report for a list, however many are. */
static dloc_reason judge_elements(const verifier *v, dloc_node list, const field_rule *rule, uint32_t *ret_element) {
  const uint32_t *words = words_of(v, list);
  for (uint32_t i = 0; i < words[0]; i++) {
    *ret_element = i;
    if (!rule->element(v, words[1 + i]))
      return rule->element_reason;
    if (rule->local_reason && is_misplaced_local(v, words[1 + i]))
      return rule->local_reason;
  }
  return DLOC_REASON_NONE;
}

/* The clause that a reason of judge_elements belongs to. */
static dloc_clause clause_of_element(const field_rule *rule, dloc_reason reason, dloc_clause clause) {
  if (reason == rule->local_reason)
    return DLOC_CLAUSE_VERIFY_UNIT_LOCAL;
  return reason == DLOC_REASON_SUBPROGRAM_RETAINED_NODE ? DLOC_CLAUSE_VERIFY_SUBPROGRAM_RETAINED : clause;
}

static dloc_status check_elements(verifier *v, dloc_node node, dloc_clause clause, const field_rule *rule,
                                  dloc_node list) {
  uint32_t element = 0;
  dloc_reason reason = rule->element ? judge_elements(v, list, rule, &element) : DLOC_REASON_NONE;
  if (reason == DLOC_REASON_NONE)
    return DLOC_OK;
  return violated_at(v, node_violated, reason, clause_of_element(rule, reason, clause), node, element);
}

static dloc_status check_fields(verifier *v, dloc_node node, dloc_clause clause, const field_rule *rules,
                                size_t count) {
  for (const field_rule *rule = rules; rule < rules + count; rule++) {
    dloc_node value = field_of(v, node, rule->field);
    if (value == DLOC_NULL)
      continue;
    TRY(rule->test(v, value) ? check_elements(v, node, clause, rule, value)
                             : node_violated(v, rule->reason, clause, node));
  }
  return DLOC_OK;
}

/* ---- Variables and labels ---- */

/* `verify.variable-fields`, `verify.variable-scope` */
dloc_status check_variable(verifier *v, dloc_node node) {
  bool is_label = class_is(v, node, "DILabel");
  if (!is_label && !class_is(v, node, "DILocalVariable"))
    return DLOC_OK;
  TRY(check_fields(v, node, DLOC_CLAUSE_VERIFY_VARIABLE_FIELDS, is_label ? label_rules : variable_rules,
                   is_label ? sizeof label_rules / sizeof *label_rules
                            : sizeof variable_rules / sizeof *variable_rules));
  if (dloc_is_local_scope(v->context, dloc_scope_parent(v->context, node)))
    return DLOC_OK;
  return node_violated(v, is_label ? DLOC_REASON_LABEL_SCOPE : DLOC_REASON_VARIABLE_SCOPE,
                       DLOC_CLAUSE_VERIFY_VARIABLE_SCOPE, node);
}

/* ---- Subprograms ---- */

static bool has_flag(const verifier *v, dloc_node flags, const char *name, uint64_t bit) {
  return token_has_flag(v->context, flags, name, bit);
}

static dloc_status check_subprogram_flags(verifier *v, dloc_node subprogram) {
  dloc_node flags = field_of(v, subprogram, FIELD_SUBPROGRAM_flags);
  if (flags == DLOC_NULL)
    return DLOC_OK;
  if ((has_flag(v, flags, "DIFlagLValueReference", 1 << 13) && has_flag(v, flags, "DIFlagRValueReference", 1 << 14)) ||
      (has_flag(v, flags, "DIFlagTypePassByValue", 1 << 22) &&
       has_flag(v, flags, "DIFlagTypePassByReference", 1 << 23)))
    TRY(node_violated(v, DLOC_REASON_SUBPROGRAM_REFERENCE_FLAGS, DLOC_CLAUSE_VERIFY_SUBPROGRAM_FIELDS, subprogram));
  if (has_flag(v, flags, "DIFlagAllCallsDescribed", 1 << 29) && !is_definition_node(v, subprogram))
    TRY(node_violated(v, DLOC_REASON_SUBPROGRAM_CALLS_DESCRIBED, DLOC_CLAUSE_VERIFY_SUBPROGRAM_FIELDS, subprogram));
  return DLOC_OK;
}

/* Whether both files have a `source:`, or neither has. */
static bool have_sources_alike(const verifier *v, dloc_node subprogram, dloc_node unit) {
  dloc_node file = field_of(v, subprogram, FIELD_SUBPROGRAM_file), other = field_of(v, unit, FIELD_COMPILE_UNIT_file);
  return !is_file(v, file) || !is_file(v, other) ||
         (field_of(v, file, FIELD_FILE_source) == DLOC_NULL) == (field_of(v, other, FIELD_FILE_source) == DLOC_NULL);
}

/* `verify.subprogram-unit`, `verify.subprogram-source` */
static dloc_status check_definition(verifier *v, dloc_node subprogram) {
  dloc_node unit = field_of(v, subprogram, FIELD_SUBPROGRAM_unit);
  if (unit == DLOC_NULL)
    return node_violated(v, DLOC_REASON_SUBPROGRAM_NO_UNIT, DLOC_CLAUSE_VERIFY_SUBPROGRAM_UNIT, subprogram);
  if (kind_of(v, unit) != DLOC_KIND_COMPILE_UNIT)
    return node_violated(v, DLOC_REASON_SUBPROGRAM_UNIT, DLOC_CLAUSE_VERIFY_SUBPROGRAM_FIELDS, subprogram);
  if (DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_14) && !have_sources_alike(v, subprogram, unit))
    return node_violated(v, DLOC_REASON_SUBPROGRAM_SOURCE, DLOC_CLAUSE_VERIFY_SUBPROGRAM_SOURCE, subprogram);
  return DLOC_OK;
}

/* `verify.subprogram-declaration` */
static dloc_status check_declaration(verifier *v, dloc_node subprogram) {
  if (field_of(v, subprogram, FIELD_SUBPROGRAM_unit) != DLOC_NULL)
    TRY(node_violated(v, DLOC_REASON_SUBPROGRAM_DECLARATION_UNIT, DLOC_CLAUSE_VERIFY_SUBPROGRAM_DECLARATION,
                      subprogram));
  if (!DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_14) &&
      field_of(v, subprogram, FIELD_SUBPROGRAM_declaration) != DLOC_NULL)
    TRY(node_violated(v, DLOC_REASON_SUBPROGRAM_DECLARATION_DECLARATION, DLOC_CLAUSE_VERIFY_SUBPROGRAM_DECLARATION,
                      subprogram));
  return DLOC_OK;
}

/* Whether an argument's number is another retained variable's already. Those that other subprograms retain do not
 * count. `verify.subprogram-arguments` */
static bool repeats_argument(const verifier *v, dloc_node subprogram, dloc_node variable) {
  dloc_node arg = field_of(v, variable, FIELD_LOCAL_VARIABLE_arg);
  if (!DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_23) || kind_of(v, variable) != DLOC_KIND_OTHER ||
      arg == DLOC_NULL || text_is(v, arg, "0"))
    return false;
  dloc_node other = v->functions[arg];
  v->functions[arg] = variable;
  return other && other != variable && v->owners[dloc_scope_parent(v->context, other)] == subprogram;
}

/* The reason why a retained node is not one of this subprogram; DLOC_REASON_NONE when it
 * is. `verify.subprogram-retained` */
static dloc_status judge_retained(verifier *v, dloc_node subprogram, dloc_node node, dloc_reason *ret) {
  dloc_node owner, scope = scope_of(v, node);
  *ret = DLOC_REASON_NONE;
  if (!is_retained_entity(v, node))
    return DLOC_OK;
  if (!dloc_is_local_scope(v->context, scope)) {
    *ret = DLOC_REASON_SUBPROGRAM_RETAINED_SCOPE;
    return DLOC_OK;
  }
  TRY(owner_of(v, scope, &owner));
  if (owner != subprogram)
    *ret = DLOC_REASON_SUBPROGRAM_RETAINED_OWNER;
  else if (repeats_argument(v, subprogram, node))
    *ret = DLOC_REASON_SUBPROGRAM_RETAINED_ARGUMENT;
  return DLOC_OK;
}

/* `verify.subprogram-retained` */
static dloc_status check_retained(verifier *v, dloc_node subprogram) {
  dloc_node list = field_of(v, subprogram, FIELD_SUBPROGRAM_retainedNodes);
  bool checks =
      DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_22) || DLOC_TAKES(v->profile, VERIFY_SUBPROGRAMS, LLVM_23);
  if (!checks || !is_tuple(v, list))
    return DLOC_OK;
  for (uint32_t i = 0; i < words_of(v, list)[0]; i++) {
    dloc_reason reason;
    TRY(judge_retained(v, subprogram, words_of(v, list)[1 + i], &reason));
    bool repeated = reason == DLOC_REASON_SUBPROGRAM_RETAINED_ARGUMENT;
    if (reason != DLOC_REASON_NONE)
      return violated_at(v, node_violated, reason,
                         repeated ? DLOC_CLAUSE_VERIFY_SUBPROGRAM_ARGUMENTS : DLOC_CLAUSE_VERIFY_SUBPROGRAM_RETAINED,
                         subprogram, i);
  }
  return DLOC_OK;
}

/* `verify.subprogram-fields`: what the table does not say. */
static dloc_status check_other_fields(verifier *v, dloc_node subprogram) {
  dloc_node declaration = field_of(v, subprogram, FIELD_SUBPROGRAM_declaration);
  if (field_of(v, subprogram, FIELD_SUBPROGRAM_file) == DLOC_NULL &&
      field_of(v, subprogram, FIELD_SUBPROGRAM_line) != DLOC_NULL)
    TRY(node_violated(v, DLOC_REASON_SUBPROGRAM_LINE, DLOC_CLAUSE_VERIFY_SUBPROGRAM_FIELDS, subprogram));
  if (declaration != DLOC_NULL && !is_declaration_node(v, declaration))
    TRY(node_violated(v, DLOC_REASON_SUBPROGRAM_DECLARATION, DLOC_CLAUSE_VERIFY_SUBPROGRAM_FIELDS, subprogram));
  return check_subprogram_flags(v, subprogram);
}

dloc_status check_subprogram(verifier *v, dloc_node subprogram) {
  TRY(check_fields(v, subprogram, DLOC_CLAUSE_VERIFY_SUBPROGRAM_FIELDS, subprogram_rules,
                   sizeof subprogram_rules / sizeof *subprogram_rules));
  TRY(check_other_fields(v, subprogram));
  TRY(check_retained(v, subprogram));
  return is_definition_node(v, subprogram) ? check_definition(v, subprogram) : check_declaration(v, subprogram);
}

/* ---- Files ---- */

static bool is_hexadecimal(dloc_text text) {
  for (size_t i = 0; i < text.size; i++)
    if (hex_digit(text.bytes[i]) > 15)
      return false;
  return true;
}

/* `verify.file` */
dloc_status check_file(verifier *v, dloc_node file) {
  dloc_node kind = field_of(v, file, FIELD_FILE_checksumkind);
  dloc_text checksum = dloc_node_text(v->context, field_of(v, file, FIELD_FILE_checksum));
  size_t digits = checksum_digits(dloc_node_text(v->context, kind));
  if (kind == DLOC_NULL || (checksum.size == digits && is_hexadecimal(checksum)))
    return DLOC_OK;
  return node_violated(v,
                       digits == 0               ? DLOC_REASON_FILE_CHECKSUM_KIND
                       : checksum.size != digits ? DLOC_REASON_FILE_CHECKSUM_LENGTH
                                                 : DLOC_REASON_FILE_CHECKSUM,
                       DLOC_CLAUSE_VERIFY_FILE, file);
}

/* ---- Compile units ---- */

/* `verify.unit-fields` */
dloc_status check_unit(verifier *v, dloc_node unit) {
  dloc_node file = field_of(v, unit, FIELD_COMPILE_UNIT_file);
  if (is_file(v, file) && dloc_node_text(v->context, field_of(v, file, FIELD_FILE_filename)).size == 0)
    TRY(node_violated(v, DLOC_REASON_UNIT_FILENAME, DLOC_CLAUSE_VERIFY_UNIT_FIELDS, unit));
  return check_fields(v, unit, DLOC_CLAUSE_VERIFY_UNIT_FIELDS, unit_rules, sizeof unit_rules / sizeof *unit_rules);
}
