// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// A fixed table, so that the handler of a signal takes no lock: it only reads what was there before the access that brought it.
enum { most_mappings = 16384 };

static struct mapping {
    atomic_uintptr_t start;
    atomic_size_t size;
    atomic_int is_torn;
} mappings[most_mappings];

static atomic_int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before;
static int is_installed;
static uintptr_t page;

static void bus_error(int signal, siginfo_t *info, void *context) {
    int saved = errno;
    uintptr_t place = (uintptr_t)info->si_addr;
    int count = atomic_load(&used);
    for (int number = 0; number < count; number++) {
        uintptr_t start = atomic_load(&mappings[number].start);
        if (start == 0 || place < start || place - start >= atomic_load(&mappings[number].size)) continue;
        void *zeros = mmap((void *)(place & ~(page - 1)), page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (zeros == MAP_FAILED) break;
        atomic_store(&mappings[number].is_torn, 1);
        errno = saved;
        return;
    }
    // None of ours: as if this were not here. The access is made again and ends as it would have.
    sigaction(SIGBUS, &before, NULL);
    errno = saved;
    (void)signal;
    (void)context;
}

static int install(void) {
    if (is_installed) return 0;
    page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &before) == -1) return -1;
    is_installed = 1;
    return 0;
}

int daybook_map(int descriptor, size_t size, void **bytes) {
    pthread_mutex_lock(&lock);
    int number = -1;
    int count = atomic_load(&used);
    for (int index = 0; index < count && number == -1; index++) {
        if (atomic_load(&mappings[index].start) == 0) number = index;
    }
    if (number == -1 && count < most_mappings) number = count;
    if (number == -1) errno = ENOMEM;
    if (number == -1 || install() == -1) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    void *start = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    atomic_store(&mappings[number].is_torn, 0);
    // The whole last page is ours.
    atomic_store(&mappings[number].size, (size + page - 1) & ~(page - 1));
    atomic_store(&mappings[number].start, (uintptr_t)start);
    if (number == count) atomic_store(&used, count + 1);
    pthread_mutex_unlock(&lock);
    *bytes = start;
    return number;
}

int daybook_map_is_torn(int number) { return atomic_load(&mappings[number].is_torn); }

void daybook_unmap(int number) {
    pthread_mutex_lock(&lock);
    void *start = (void *)atomic_load(&mappings[number].start);
    size_t size = atomic_load(&mappings[number].size);
    atomic_store(&mappings[number].start, 0);
    munmap(start, size);
    pthread_mutex_unlock(&lock);
}
