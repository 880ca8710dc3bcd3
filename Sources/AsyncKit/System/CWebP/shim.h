#ifndef ASYNCKIT_CWEBP_H
#define ASYNCKIT_CWEBP_H

#include <webp/decode.h>
#include <webp/demux.h>

#endif
