// zlib, and a wrapper for its set-up macro.
#ifndef ASYNCKIT_CZLIB_H
#define ASYNCKIT_CZLIB_H

#include <zlib.h>

// Reads the gzip format alone, with the largest window it may use.
static inline int asynckit_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

#endif
