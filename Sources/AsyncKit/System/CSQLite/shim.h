#ifndef ASYNCKIT_CSQLITE_H
#define ASYNCKIT_CSQLITE_H

#include <sqlite3.h>

#endif
