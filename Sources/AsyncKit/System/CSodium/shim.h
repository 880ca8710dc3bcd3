#ifndef ASYNCKIT_CSODIUM_H
#define ASYNCKIT_CSODIUM_H

#include <sodium.h>

#endif
