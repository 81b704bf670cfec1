// Records what a process does to the files below a folder, for a replay of power cuts (disk.ts). Loaded with LD_PRELOAD.
// A record is written after the call that it tells of has returned, except the beginning of a sync, which comes before.
// So whatever stands before the beginning of a sync was there when the sync began.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FDS 65536

struct head {
  uint32_t kind, path, other, data;
  uint64_t inode, at, more;
};

static int trace = -1;
static const char *root;
static size_t root_length;
static unsigned char recorded[FDS];
static uint64_t syncs;

__attribute__((constructor)) static void start(void) {
  root = getenv("PAYDESK_RECORD_ROOT");
  const char *file = getenv("PAYDESK_RECORD_TRACE");
  if (root == NULL || file == NULL) return;
  root_length = strlen(root);
  trace = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static int is_ours(const char *path) {
  if (trace < 0 || path == NULL || strncmp(path, root, root_length) != 0) return 0;
  if (path[root_length] != '/' && path[root_length] != 0) return 0;
  size_t length = strlen(path);
  // SQLite maps this file into memory, and makes it anew after every crash.
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

// One call of the system writes the whole record to the end of the trace, so that records of other threads and
// processes come before or after it.
static void put(char kind, uint64_t inode, uint64_t at, uint64_t more, const char *path, const char *other, const void *data,
                size_t length) {
  int error = errno;
  struct head head = {(uint32_t)kind, path ? strlen(path) : 0, other ? strlen(other) : 0, (uint32_t)length, inode, at, more};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}, {(void *)data, length}};
  if (syscall(SYS_writev, trace, parts, 4) < 0) abort();
  errno = error;
}

static int inode_of(int fd, struct stat *found) {
  return fd >= 0 && fd < FDS && recorded[fd] && fstat(fd, found) == 0 && (S_ISREG(found->st_mode) || S_ISDIR(found->st_mode));
}

static char *path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return path;
}

static int opened(int fd, int flags, int was_there) {
  if (fd < 0 || fd >= FDS) return fd;
  char path[PATH_MAX];
  recorded[fd] = trace >= 0 && path_of(fd, path) != NULL && is_ours(path);
  struct stat found;
  if (!recorded[fd] || !inode_of(fd, &found)) return fd;
  if (S_ISREG(found.st_mode)) put('O', found.st_ino, !was_there, (flags & O_TRUNC) != 0, path, NULL, NULL, 0);
  return fd;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  int was_there = faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  return opened(REAL(openat)(folder, path, flags, mode), flags, was_there);
}

#define MODE(last)                                                                                                            \
  mode_t mode = 0;                                                                                                            \
  if (flags & (O_CREAT | __O_TMPFILE)) {                                                                                      \
    va_list more;                                                                                                             \
    va_start(more, last);                                                                                                     \
    mode = va_arg(more, mode_t);                                                                                              \
    va_end(more);                                                                                                             \
  }
int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return open_at(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return open_at(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static ssize_t wrote(int fd, const void *data, ssize_t length, off_t at) {
  struct stat found;
  if (length <= 0 || !inode_of(fd, &found)) return length;
  if (at < 0) at = lseek(fd, 0, SEEK_CUR) - length;
  put('W', found.st_ino, (uint64_t)at, 0, NULL, NULL, data, (size_t)length);
  return length;
}
ssize_t write(int fd, const void *data, size_t length) { return wrote(fd, data, REAL(write)(fd, data, length), -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return wrote(fd, data, REAL(pwrite)(fd, data, length, at), at); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
  return wrote(fd, data, REAL(pwrite64)(fd, data, length, at), at);
}

// Parts are written one after the other, so that each has its record. A write that ends early is what callers expect.
ssize_t writev(int fd, const struct iovec *parts, int count) {
  struct stat found;
  if (!inode_of(fd, &found)) return REAL(writev)(fd, parts, count);
  ssize_t done = 0;
  for (int i = 0; i < count; i++) {
    ssize_t length = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (length < 0) return done > 0 ? done : -1;
    done += length;
    if ((size_t)length < parts[i].iov_len) break;
  }
  return done;
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  struct stat found;
  if (!inode_of(fd, &found)) return REAL(pwritev)(fd, parts, count, at);
  ssize_t done = 0;
  for (int i = 0; i < count; i++) {
    ssize_t length = pwrite(fd, parts[i].iov_base, parts[i].iov_len, at + done);
    if (length < 0) return done > 0 ? done : -1;
    done += length;
    if ((size_t)length < parts[i].iov_len) break;
  }
  return done;
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return pwritev(fd, parts, count, at); }

static int truncated(int fd, int result, off_t length) {
  struct stat found;
  if (result == 0 && inode_of(fd, &found)) put('T', found.st_ino, (uint64_t)length, 0, NULL, NULL, NULL, 0);
  return result;
}
int ftruncate(int fd, off_t length) { return truncated(fd, REAL(ftruncate)(fd, length), length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, REAL(ftruncate64)(fd, length), length); }

static int synced(int fd, int (*sync)(int)) {
  struct stat found;
  if (!inode_of(fd, &found)) return sync(fd);
  char path[PATH_MAX];
  const char *folder = S_ISDIR(found.st_mode) ? path_of(fd, path) : NULL;
  uint64_t number = ((uint64_t)getpid() << 32) | __atomic_add_fetch(&syncs, 1, __ATOMIC_SEQ_CST);
  put('B', found.st_ino, number, 0, folder, NULL, NULL, 0);
  int result = sync(fd);
  if (result == 0) put('E', found.st_ino, number, 0, folder, NULL, NULL, 0);
  return result;
}
int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

static int done(char kind, int result, const char *path, const char *other) {
  if (result == 0 && is_ours(path)) put(kind, 0, 0, 0, path, other, NULL, 0);
  return result;
}
int unlink(const char *path) { return done('U', REAL(unlink)(path), path, NULL); }
int rmdir(const char *path) { return done('D', REAL(rmdir)(path), path, NULL); }
int mkdir(const char *path, mode_t mode) { return done('M', REAL(mkdir)(path, mode), path, NULL); }
int rename(const char *from, const char *to) { return done('R', REAL(rename)(from, to), from, to); }
int remove(const char *path) {
  struct stat found;
  char kind = lstat(path, &found) == 0 && S_ISDIR(found.st_mode) ? 'D' : 'U';
  return done(kind, REAL(remove)(path), path, NULL);
}
int unlinkat(int folder, const char *name, int flags) {
  char path[PATH_MAX], whole[PATH_MAX * 2];
  if (name[0] == '/' || folder == AT_FDCWD) snprintf(whole, sizeof whole, "%s", name);
  else snprintf(whole, sizeof whole, "%s/%s", path_of(folder, path) ? path : "", name);
  return done(flags & AT_REMOVEDIR ? 'D' : 'U', REAL(unlinkat)(folder, name, flags), whole, NULL);
}

// Bytes that the system copies by itself would have no record. Whoever is refused here writes them.
ssize_t sendfile(int to, int from, off_t *at, size_t length) { return (void)to, (void)from, (void)at, (void)length, errno = EINVAL, -1; }
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) { return (void)to, (void)from, (void)at, (void)length, errno = EINVAL, -1; }
int ioctl(int fd, unsigned long request, ...) {
  va_list more;
  va_start(more, request);
  void *argument = va_arg(more, void *);
  va_end(more);
  if (request == 0x40049409 /* FICLONE */) return errno = EOPNOTSUPP, -1;
  return REAL(ioctl)(fd, request, argument);
}
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (real == NULL) real = dlsym(RTLD_NEXT, "syscall");
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long), d = va_arg(more, long), e = va_arg(more, long),
       f = va_arg(more, long);
  va_end(more);
  if (number == SYS_copy_file_range && trace >= 0) return errno = ENOSYS, -1;
  return real(number, a, b, c, d, e, f);
}
