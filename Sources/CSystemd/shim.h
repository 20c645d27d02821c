// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_CSYSTEMD_H
#define DAYBOOK_CSYSTEMD_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#endif
