// Makes each sync of a process take longer, as a slow disk does. Loaded with LD_PRELOAD.
// PAYDESK_SYNC_MS says by how many milliseconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_disk(void) {
  const char *text = getenv("PAYDESK_SYNC_MS");
  long ms = text == NULL ? 0 : atol(text);
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  while (ms > 0 && nanosleep(&left, &left) != 0) {
  }
}

static int synced(const char *name, int fd) {
  wait_for_disk();
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return sync(fd);
}
int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
