// SPDX-License-Identifier: Apache-2.0
#include <md4c.h>
