#ifndef ASYNCKIT_CBROTLI_H
#define ASYNCKIT_CBROTLI_H

#include <brotli/decode.h>

#endif
