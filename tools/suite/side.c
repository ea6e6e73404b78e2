/* side.c - starting and ending an implementation. */
#include "side.h"

#include <unistd.h>

uint64_t side_jobs(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors < 1 ? 1 : processors > 8 ? 8 : (uint64_t)processors;
}

static void choose(const side_options *o, dloc_profile *profile) {
  for (size_t i = 0; i < o->choices.count; i++)
    tool_choose(o->choices.items[i], profile);
}

run_settings side_settings(const side_options *o) {
  if (o->jobs < 1 || o->jobs > 64 || o->timeout < 1 || o->timeout > 86400)
    tool_fail("--jobs must be 1 to 64, --timeout 1 to 86400");
  run_settings settings = {.profile_name = o->profile,
                           .profile = *tool_profile(o->profile ? o->profile : "rfc"),
                           .choices = o->choices.items,
                           .choice_count = o->choices.count,
                           .timeout = (double)o->timeout,
                           .jobs = (unsigned)o->jobs};
  choose(o, &settings.profile);
  return settings;
}

void side_start(fuzz_side *side, const side_options *o) {
  side->settings = side_settings(o);
  side->adapter = adapter_create(o->implementation, o->llvm);
  side->adapter->settings = &side->settings;
  if (!side->adapter->start(side->adapter, &side->implementation))
    tool_fail("%s", side->adapter->error);
  const dloc_profile *own = run_own_profile(&side->implementation);
  if (!o->profile && own) {
    side->settings.profile = *own;
    choose(o, &side->settings.profile);
  }
}

void side_end(fuzz_side *side) {
  if (side->adapter->stop)
    side->adapter->stop(side->adapter);
  side->adapter->destroy(side->adapter);
}
