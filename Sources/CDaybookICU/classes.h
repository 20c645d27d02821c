// SPDX-License-Identifier: Apache-2.0
// What the files of this target share.
#ifndef DAYBOOK_CLASSES_H
#define DAYBOOK_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "CDaybookICU.h"

/// How a character joins the one before it (the property Grapheme_Cluster_Break, and emoji).
enum daybook_cluster {
    CLUSTER_OTHER,
    CLUSTER_NEWLINE,
    CLUSTER_CONTROL,
    CLUSTER_EXTEND,
    CLUSTER_JOINER,
    CLUSTER_REGIONAL,
    CLUSTER_PREPEND,
    CLUSTER_SPACING,
    CLUSTER_L,
    CLUSTER_V,
    CLUSTER_T,
    CLUSTER_LV,
    CLUSTER_LVT,
    CLUSTER_EMOJI
};

/// Class in the low byte, cluster in the high one.
uint16_t daybook_facts(uint32_t character);

/// Decodes the character at `*at` and moves on; U+FFFD, and one byte at least, for what is malformed. `*at` < `length`.
uint32_t daybook_decode_one(const uint8_t *text, size_t length, size_t *at, int *malformed);

#endif
