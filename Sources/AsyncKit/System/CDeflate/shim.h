#ifndef ASYNCKIT_CDEFLATE_H
#define ASYNCKIT_CDEFLATE_H

#include <libdeflate.h>

#endif
