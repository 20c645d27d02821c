// SPDX-License-Identifier: Apache-2.0
#include "CDaybookMedia.h"

#include <taglib/aifffile.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tiostream.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace {

// From TagLib 2 on (Debian 13) places in a file are signed and lengths are not, and the arguments of two constructors have another order.
#if TAGLIB_MAJOR_VERSION >= 2
using Place = TagLib::offset_t;
using Length = size_t;
#else
using Place = unsigned long;
using Length = unsigned long;
#endif

// A file that is read through a function, and never written.
class Stream : public TagLib::IOStream {
public:
    Stream(size_t size, daybook_media_read read, void *context) : size(size), read(read), context(context) {}

    TagLib::FileName name() const override { return ""; }

    TagLib::ByteVector readBlock(Length length) override {
        if (position >= size) return {};
        // A length in the file may be any number.
        size_t wanted = std::min<size_t>(length, size - position);
        TagLib::ByteVector block(static_cast<unsigned int>(wanted), 0);
        size_t got = read(context, position, reinterpret_cast<uint8_t *>(block.data()), wanted);
        block.resize(static_cast<unsigned int>(got));
        position += got;
        return block;
    }

    void writeBlock(const TagLib::ByteVector &) override {}
    void insert(const TagLib::ByteVector &, Place, Length) override {}
    void removeBlock(Place, Length) override {}
    bool readOnly() const override { return true; }
    bool isOpen() const override { return true; }

    void seek(long offset, Position from) override {
        long base = from == Beginning ? 0 : from == Current ? static_cast<long>(position) : static_cast<long>(size);
        long target = 0;
        if (__builtin_add_overflow(base, offset, &target) || target < 0) target = 0;
        position = static_cast<size_t>(target);
    }

    void clear() override {}
    long tell() const override { return static_cast<long>(position); }
    long length() override { return static_cast<long>(size); }
    void truncate(long) override {}

private:
    size_t size;
    daybook_media_read read;
    void *context;
    size_t position = 0;
};

std::unique_ptr<TagLib::File> open(const char *kind, Stream *stream) {
    auto is = [kind](const char *name) { return std::strcmp(kind, name) == 0; };
    const auto style = TagLib::AudioProperties::Average;
#if TAGLIB_MAJOR_VERSION >= 2
    if (is("mp3")) return std::make_unique<TagLib::MPEG::File>(stream, true, style);
    if (is("flac")) return std::make_unique<TagLib::FLAC::File>(stream, true, style);
#else
    auto *frames = TagLib::ID3v2::FrameFactory::instance();
    if (is("mp3")) return std::make_unique<TagLib::MPEG::File>(stream, frames, true, style);
    if (is("flac")) return std::make_unique<TagLib::FLAC::File>(stream, frames, true, style);
#endif
    if (is("ogg")) return std::make_unique<TagLib::Ogg::Vorbis::File>(stream, true, style);
    if (is("opus")) return std::make_unique<TagLib::Ogg::Opus::File>(stream, true, style);
    if (is("wav")) return std::make_unique<TagLib::RIFF::WAV::File>(stream, true, style);
    if (is("aiff")) return std::make_unique<TagLib::RIFF::AIFF::File>(stream, true, style);
    if (is("mp4")) return std::make_unique<TagLib::MP4::File>(stream, true, style);
    return nullptr;
}

}  // namespace

int64_t daybook_media_duration(const char *kind, size_t size, daybook_media_read read, void *context) {
    // No exception may leave here: nobody above knows them.
    try {
        Stream stream(size, read, context);
        auto file = open(kind, &stream);
        if (!file || !file->isValid() || file->audioProperties() == nullptr) return -1;
        int64_t milliseconds = file->audioProperties()->lengthInMilliseconds();
        return milliseconds > 0 ? milliseconds : -1;
    } catch (...) {
        return -1;
    }
}
