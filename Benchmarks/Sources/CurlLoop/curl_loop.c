#include "curl_loop.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    CURL *easy;
    char *bytes;
    size_t count;
    size_t capacity;
};

struct curl_loop {
    CURLM *multi;
    size_t width;
    struct slot *slots;
};

static int reserve(struct slot *slot, size_t capacity) {
    if (capacity <= slot->capacity) return 1;
    if (capacity < slot->capacity * 2) capacity = slot->capacity * 2;
    char *bytes = realloc(slot->bytes, capacity);
    if (!bytes) return 0;
    slot->bytes = bytes;
    slot->capacity = capacity;
    return 1;
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t added = size * count;
    if (!reserve(slot, slot->count + added)) return 0;
    memcpy(slot->bytes + slot->count, bytes, added);
    slot->count += added;
    return added;
}

static void drop_body(struct slot *slot) {
    free(slot->bytes);
    slot->bytes = NULL;
    slot->count = slot->capacity = 0;
}

static int make_slot(struct slot *slot) {
    slot->easy = curl_easy_init();
    if (!slot->easy) return 0;
    curl_easy_setopt(slot->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(slot->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(slot->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    // As large as the library's, so that both are called equally often.
    curl_easy_setopt(slot->easy, CURLOPT_BUFFERSIZE, 64L * 1024);
    curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(slot->easy, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(slot->easy, CURLOPT_PRIVATE, slot);
    return 1;
}

struct curl_loop *curl_loop_make(size_t width) {
    struct curl_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->multi = curl_multi_init();
    loop->slots = calloc(width, sizeof *loop->slots);
    if (!loop->multi || !loop->slots) {
        curl_loop_free(loop);
        return NULL;
    }
    for (; loop->width < width; loop->width++) {
        if (!make_slot(&loop->slots[loop->width])) {
            curl_loop_free(loop);
            return NULL;
        }
    }
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, 64L);
    return loop;
}

void curl_loop_free(struct curl_loop *loop) {
    for (size_t index = 0; index < loop->width; index++) {
        curl_multi_remove_handle(loop->multi, loop->slots[index].easy);
        curl_easy_cleanup(loop->slots[index].easy);
        drop_body(&loop->slots[index]);
    }
    if (loop->multi) curl_multi_cleanup(loop->multi);
    free(loop->slots);
    free(loop);
}

static const char *start(struct curl_loop *loop, struct slot *slot, const char *url) {
    if (curl_easy_setopt(slot->easy, CURLOPT_URL, url) != CURLE_OK) return "no memory for the URL";
    return curl_multi_add_handle(loop->multi, slot->easy) == CURLM_OK ? NULL : "libcurl takes no transfer";
}

// Checks what came, and lets go of it.
static const char *finish(struct curl_loop *loop, struct slot *slot, CURLcode result, size_t size) {
    long status = 0;
    if (result != CURLE_OK) return curl_easy_strerror(result);
    curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) return "the status is not 200";
    if (slot->count != size) return "the body has not the size it should have";
    drop_body(slot);
    curl_multi_remove_handle(loop->multi, slot->easy);
    return NULL;
}

const char *curl_loop_run(struct curl_loop *loop, const char *url, size_t size, size_t requests) {
    size_t started = 0;
    size_t done = 0;
    const char *failure = NULL;
    for (; started < loop->width && started < requests && !failure; started++)
        failure = start(loop, &loop->slots[started], url);
    while (done < requests && !failure) {
        int running = 0;
        int left = 0;
        size_t done_before = done;
        CURLMsg *message;
        curl_multi_perform(loop->multi, &running);
        while (!failure && (message = curl_multi_info_read(loop->multi, &left))) {
            struct slot *slot = NULL;
            CURLcode result = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &slot);
            failure = finish(loop, slot, result, size);
            done++;
            if (!failure && started < requests) {
                failure = start(loop, slot, url);
                started++;
            }
        }
        // What was just started has something to send, so there is nothing to wait for.
        if (done == done_before && !failure) curl_multi_poll(loop->multi, NULL, 0, 1000, NULL);
    }
    return failure;
}

const char *curl_loop_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}
