/* Functions of libdloc that libdloc-objects calls and no header offers. In the shared library their names begin with
 * dloc_private_, so no function of a program takes their place. */
#pragma once

#define PRIVATE(name) __asm__("dloc_private_" #name) __attribute__((visibility("default")))
