#ifndef ASYNCKIT_CTURBOJPEG_H
#define ASYNCKIT_CTURBOJPEG_H

#include <turbojpeg.h>

#endif
