// SPDX-License-Identifier: Apache-2.0
#include <acl/libacl.h>
#include <sys/acl.h>
