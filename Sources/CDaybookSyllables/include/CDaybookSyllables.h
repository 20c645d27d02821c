// SPDX-License-Identifier: Apache-2.0
// English words whose syllables no rule of ours gets right, from the CMU Pronouncing Dictionary.
#ifndef CDAYBOOKSYLLABLES_H
#define CDAYBOOKSYLLABLES_H

#include <stddef.h>
#include <stdint.h>

/// How many syllables a word of small letters a to z and apostrophes has; 0 where it is not in the table.
int daybook_syllables(const uint8_t *word, size_t length);

#endif
