// libcurl, and wrappers for the calls that C declares with a variable number of arguments.
#ifndef ASYNCKIT_CCURL_H
#define ASYNCKIT_CCURL_H

#include <curl/curl.h>

typedef size_t (*asynckit_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode asynckit_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode asynckit_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode asynckit_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode asynckit_curl_set_data_callback(
    CURL *easy, CURLoption option, asynckit_curl_data_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode asynckit_curl_set_socket_callback(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode asynckit_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode asynckit_curl_set_seek_callback(CURL *easy, curl_seek_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode asynckit_curl_get_number(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode asynckit_curl_get_size(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode asynckit_curl_get_text(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, (char **)value);
}

static inline CURLcode asynckit_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

// The application's side of the interface in which it watches the sockets itself; or null.
static inline void asynckit_curl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback on_socket, curl_multi_timer_callback on_timer, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
}

static inline CURLMcode asynckit_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

#endif
