// SPDX-License-Identifier: Apache-2.0
#include <uchardet/uchardet.h>
