// Puts the wall clock of a process ahead by the seconds that lie in the file SLUICE_CLOCK, which may change at any time.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long *ahead;

__attribute__((constructor)) static void map(void) {
  const char *path = getenv("SLUICE_CLOCK");
  if (path) ahead = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, open(path, O_RDONLY), 0);
}

static long long seconds(void) { return ahead ? *ahead : 0; }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int failed = syscall(SYS_gettimeofday, now, zone);
  now->tv_sec += seconds();
  return failed;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += seconds();
  return failed;
}

time_t time(time_t *kept) {
  struct timeval now;
  gettimeofday(&now, NULL);
  if (kept) *kept = now.tv_sec;
  return now.tv_sec;
}
