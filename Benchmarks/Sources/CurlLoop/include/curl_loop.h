// What a C program would write to get one URL many times: a multi handle, some easy handles, one thread.
#ifndef CURL_LOOP_H
#define CURL_LOOP_H

#include <stddef.h>

struct curl_loop;

// Makes a loop that keeps so many requests under way at once; NULL when there is no memory.
struct curl_loop *curl_loop_make(size_t width);

void curl_loop_free(struct curl_loop *loop);

// Gets the URL so many times, each body into a buffer of its own, and checks status and size.
//
// Returns NULL, or what went wrong; then the loop can only be freed.
const char *curl_loop_run(struct curl_loop *loop, const char *url, size_t size, size_t requests);

// The version of libcurl, such as "7.88.1".
const char *curl_loop_version(void);

#endif
