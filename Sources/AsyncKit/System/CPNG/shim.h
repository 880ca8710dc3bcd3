#ifndef ASYNCKIT_CPNG_H
#define ASYNCKIT_CPNG_H

#include <png.h>

// Four bytes a pixel, red first; the importer can't read the macro.
static const png_uint_32 asynckit_png_rgba = PNG_FORMAT_RGBA;

// The most bytes that the picture can take as a file; a function macro, too.
static inline size_t asynckit_png_maximum_size(png_image image) {
    return PNG_IMAGE_PNG_SIZE_MAX(image);
}

#endif
