// SPDX-License-Identifier: Apache-2.0
// How long audio and video last, by TagLib. Its own C interface opens files by name, which a reader of documents may not do.
#ifndef CDAYBOOKMEDIA_H
#define CDAYBOOKMEDIA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads up to `length` bytes at `offset`; fewer only at the end.
typedef size_t (*daybook_media_read)(void *context, size_t offset, uint8_t *buffer, size_t length);

/// The duration in milliseconds; -1 where the file has none that can be told. `kind` is "mp3", "ogg", "opus", "flac", "wav", "mp4" or "aiff".
int64_t daybook_media_duration(const char *kind, size_t size, daybook_media_read read, void *context);

#ifdef __cplusplus
}
#endif

#endif
