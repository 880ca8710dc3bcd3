#ifndef ASYNCKIT_CCURL_H
#define ASYNCKIT_CCURL_H

#include <curl/curl.h>

#endif
