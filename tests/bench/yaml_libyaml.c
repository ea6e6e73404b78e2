/* usage: yaml-libyaml FILE
 *
 * The events of a file of vectors, by libyaml alone: the least that `dloc check` takes. */
#include <stdio.h>
#include <yaml.h>

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  yaml_parser_t parser;
  yaml_event_t event;
  size_t events = 0;
  if (!file || !yaml_parser_initialize(&parser))
    return 2;
  yaml_parser_set_input_file(&parser, file);
  for (int type = YAML_NO_EVENT; type != YAML_STREAM_END_EVENT; events++) {
    if (!yaml_parser_parse(&parser, &event))
      return 1;
    type = event.type;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  fclose(file);
  printf("%zu\n", events);
  return 0;
}
