/* Counts the calls by which a process changes files below one folder, and at the Nth of them fails it
 * or ends the process. Loaded before the C library (LD_PRELOAD).
 *
 *   TARE_FAULT_UNDER  folder; calls on other files pass through uncounted
 *   TARE_FAULT_LOG    one line a counted call: number, call, file name
 *   TARE_FAULT_AT     number of the call to fault, from 1; 0 or absent: only count
 *   TARE_FAULT_HOW    kill-before, kill-after, EIO, ENOSPC, or full: from that call on no write succeeds
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char *under, *how;
static long fault_at;
static int log_fd = -1;
static long calls;

__attribute__((constructor)) static void begin(void) {
  under = getenv("TARE_FAULT_UNDER");
  how = getenv("TARE_FAULT_HOW");
  const char *at = getenv("TARE_FAULT_AT");
  const char *log = getenv("TARE_FAULT_LOG");
  fault_at = at != NULL ? atol(at) : 0;
  if (how == NULL) how = "EIO";
  if (log != NULL) log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static void die(void) { kill(getpid(), SIGKILL); }

static const char *path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = '\0';
  return path;
}

/* Whether this call is to fail; errno is set then. */
static int faulted(const char *call, const char *path, long *number) {
  *number = 0;
  if (under == NULL || path == NULL || strncmp(path, under, strlen(under)) != 0) return 0;
  *number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  if (log_fd >= 0) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", *number, call, path);
    syscall(SYS_write, log_fd, line, (size_t)length);
  }
  if (strcmp(how, "full") == 0 && fault_at > 0 && *number > fault_at && strstr(call, "write") != NULL) {
    errno = ENOSPC;
    return 1;
  }
  if (*number != fault_at) return 0;
  if (strcmp(how, "kill-before") == 0) die();
  if (strcmp(how, "kill-after") == 0) return 0;
  errno = strcmp(how, "EIO") == 0 ? EIO : ENOSPC;
  return 1;
}

static void done(long number) {
  if (number != 0 && number == fault_at && strcmp(how, "kill-after") == 0) die();
}

#define NEXT(type, name) \
  static type next;      \
  if (next == NULL) next = (type)dlsym(RTLD_NEXT, name)

#define ON_FD(result, name, parameters, arguments)                \
  result name parameters {                                        \
    typedef result(*function) parameters;                         \
    NEXT(function, #name);                                        \
    char path[PATH_MAX];                                          \
    long number;                                                  \
    if (faulted(#name, path_of(fd, path), &number)) return -1;    \
    result answer = next arguments;                               \
    done(number);                                                 \
    return answer;                                                \
  }

ON_FD(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
ON_FD(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
ON_FD(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
ON_FD(int, fsync, (int fd), (fd))
ON_FD(int, fdatasync, (int fd), (fd))
ON_FD(int, ftruncate, (int fd, off_t size), (fd, size))
ON_FD(int, ftruncate64, (int fd, off64_t size), (fd, size))

static const char *absolute(const char *path, char *whole) {
  if (path[0] == '/') return path;
  if (getcwd(whole, PATH_MAX) == NULL) return path;
  size_t length = strlen(whole);
  snprintf(whole + length, PATH_MAX - length, "/%s", strncmp(path, "./", 2) == 0 ? path + 2 : path);
  return whole;
}

int rename(const char *from, const char *to) {
  typedef int (*function)(const char *, const char *);
  NEXT(function, "rename");
  char whole[PATH_MAX];
  long number;
  if (faulted("rename", absolute(to, whole), &number)) return -1;
  int answer = next(from, to);
  done(number);
  return answer;
}

int unlink(const char *path) {
  typedef int (*function)(const char *);
  NEXT(function, "unlink");
  char whole[PATH_MAX];
  long number;
  if (faulted("unlink", absolute(path, whole), &number)) return -1;
  int answer = next(path);
  done(number);
  return answer;
}
