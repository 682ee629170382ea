/*
 * Loaded into a process with LD_PRELOAD: fails chosen calls on files under one folder, as a disk
 * does that is full (ENOSPC) or broken (EIO). What to fail stands in a control file, which is
 * mapped here and may be rewritten from outside at any time; what was seen is counted there.
 *
 * CONSENTRY_FAULT_FOLDER   the folder, absolute, without a slash at its end
 * CONSENTRY_FAULT_CONTROL  the control file: struct control, little-endian, outside the folder
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  _Atomic uint64_t seen;     /* calls on files of the folder, from 1 */
  _Atomic uint64_t first;    /* number of the first call to fail; 0: none */
  _Atomic uint64_t last;     /* number of the last call to fail */
  _Atomic uint64_t error;    /* errno of those calls */
  _Atomic uint64_t shorten;  /* 1: the first write to fail is cut in half instead */
  _Atomic uint64_t injected; /* calls that failed or were cut */
};

enum verdict { PASS, FAIL, SHORTEN };

#define FILES 4096
static _Atomic char watched[FILES];
static struct control *control;
static const char *folder;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CONSENTRY_FAULT_CONTROL");
  folder = getenv("CONSENTRY_FAULT_FOLDER");
  if (path == NULL || folder == NULL) return;
  int file = REAL(open)(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped =
      mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) control = mapped;
}

static int in_folder(const char *path) {
  if (control == NULL || path == NULL) return 0;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_watched(int file) { return file >= 0 && file < FILES && watched[file]; }

/* Counts the call; says what is to become of it, with errno set. */
static enum verdict judge(int can_be_cut) {
  uint64_t number = atomic_fetch_add(&control->seen, 1) + 1;
  uint64_t first = atomic_load(&control->first);
  if (first == 0 || number < first || number > atomic_load(&control->last)) return PASS;
  uint64_t before = atomic_fetch_add(&control->injected, 1);
  if (before == 0 && can_be_cut && atomic_load(&control->shorten)) return SHORTEN;
  errno = (int)atomic_load(&control->error);
  return FAIL;
}

static int opened(int file, int watch) {
  if (file >= 0 && file < FILES) watched[file] = (char)watch;
  return file;
}

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list more;                                         \
    va_start(more, flags);                                \
    mode_t mode = va_arg(more, mode_t);                   \
    va_end(more);                                         \
    int watch = in_folder(path);                          \
    if (watch && judge(0) == FAIL) return -1;             \
    return opened(REAL(name)(path, flags, mode), watch);  \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                               \
  int name(int at, const char *path, int flags, ...) {             \
    va_list more;                                                  \
    va_start(more, flags);                                         \
    mode_t mode = va_arg(more, mode_t);                            \
    va_end(more);                                                  \
    int watch = in_folder(path);                                   \
    if (watch && judge(0) == FAIL) return -1;                      \
    return opened(REAL(name)(at, path, flags, mode), watch);       \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
  if (file >= 0 && file < FILES) watched[file] = 0;
  return REAL(close)(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (!is_watched(file)) return REAL(write)(file, bytes, count);
  switch (judge(count > 1)) {
    case FAIL: return -1;
    case SHORTEN: return REAL(write)(file, bytes, count / 2);
    default: return REAL(write)(file, bytes, count);
  }
}

#define PWRITE(name, offset_type)                                              \
  ssize_t name(int file, const void *bytes, size_t count, offset_type at) {    \
    if (!is_watched(file)) return REAL(name)(file, bytes, count, at);          \
    switch (judge(count > 1)) {                                                \
      case FAIL: return -1;                                                    \
      case SHORTEN: return REAL(name)(file, bytes, count / 2, at);             \
      default: return REAL(name)(file, bytes, count, at);                      \
    }                                                                          \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* Calls that fail as a whole. */
#define WHOLE(name, failure, parameters, arguments)                 \
  failure##_type name parameters {                                  \
    if (is_watched(file) && judge(0) == FAIL) return -1;            \
    return REAL(name) arguments;                                    \
  }
typedef int int_type;
typedef ssize_t size_type;
WHOLE(writev, size, (int file, const struct iovec *parts, int count), (file, parts, count))
WHOLE(pwritev, size, (int file, const struct iovec *parts, int count, off_t at),
      (file, parts, count, at))
WHOLE(pwritev64, size, (int file, const struct iovec *parts, int count, off64_t at),
      (file, parts, count, at))
WHOLE(fsync, int, (int file), (file))
WHOLE(fdatasync, int, (int file), (file))
WHOLE(ftruncate, int, (int file, off_t length), (file, length))
WHOLE(ftruncate64, int, (int file, off64_t length), (file, length))
WHOLE(fallocate, int, (int file, int mode, off_t at, off_t length), (file, mode, at, length))
WHOLE(fallocate64, int, (int file, int mode, off64_t at, off64_t length),
      (file, mode, at, length))

/* Returns its error instead of setting errno. */
int posix_fallocate(int file, off_t at, off_t length) {
  if (is_watched(file) && judge(0) == FAIL) return errno;
  return REAL(posix_fallocate)(file, at, length);
}
