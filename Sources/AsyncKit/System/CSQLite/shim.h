#ifndef ASYNCKIT_CSQLITE_H
#define ASYNCKIT_CSQLITE_H

#include <sqlite3.h>

// Result codes that Swift cannot import, because the macros compute them.
static const int asynckit_sqlite3_readonly_dbmoved = SQLITE_READONLY_DBMOVED;
static const int asynckit_sqlite3_cantopen_symlink = SQLITE_CANTOPEN_SYMLINK;

// SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies the bytes before this returns.
static inline int asynckit_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config() is variadic. What a database file brings along (triggers, views, functions in its schema,
// extensions) is not run, and its own internals cannot be written to.
static inline int asynckit_sqlite3_distrust(sqlite3 *database) {
    static const struct { int option, value; } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    };
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        int status = sqlite3_db_config(database, settings[i].option, settings[i].value, (int *)0);
        if (status != SQLITE_OK) return status;
    }
    return SQLITE_OK;
}

#endif
