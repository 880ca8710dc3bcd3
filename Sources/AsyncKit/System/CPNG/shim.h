#ifndef ASYNCKIT_CPNG_H
#define ASYNCKIT_CPNG_H

#include <png.h>

#endif
