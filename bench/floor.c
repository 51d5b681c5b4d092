/* SPDX-License-Identifier: Apache-2.0 */
/* The floor of seeing: what cannot be left out of a picture of the screen, with no checks, guard
 * or processes in between. For each line on standard input, the name of a job, one JSON line:
 *   fullscreen   shared-memory get, area scale to 1568 pixels, JPEG q80 4:2:0
 *   region       get 400x300 at 700,300 (or the middle), JPEG q80 4:2:0
 *   unchanged    get, memcmp with the last one
 *   png          get, drop the fourth byte, deflate level 1 without filters
 * `ms` is the whole job, the other times its stages. With --rounds N it does each N times. */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <turbojpeg.h>
#include <unistd.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include "floor-scale.h"

#define LONG_EDGE 1568
#define QUALITY   80

typedef struct Floor {
    xcb_connection_t *xcb;
    xcb_window_t root;
    int width, height, to_width, to_height;
    xcb_shm_seg_t segment;
    uint8_t *pixels, *scaled, *former;
    unsigned char *jpeg;
    unsigned long jpeg_room;
    FloorScaler *scaler;
    tjhandle compressor;
    struct libdeflate_compressor *deflate;
    uint8_t *rgb, *deflated;
} Floor;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void die(const char *what)
{
    fprintf(stderr, "bench-floor: %s\n", what);
    exit(1);
}

static void open_segment(Floor *bare, size_t bytes)
{
    int fd = memfd_create("bench-floor", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0)
        die("no memory");
    bare->pixels = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    bare->segment = xcb_generate_id(bare->xcb);
    xcb_void_cookie_t attach = xcb_shm_attach_fd_checked(bare->xcb, bare->segment, fd, 0);
    if (bare->pixels == MAP_FAILED || xcb_request_check(bare->xcb, attach))
        die("the X server does not share memory");
}

static void open_floor(Floor *bare)
{
    bare->xcb = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(bare->xcb))
        die("no X server");
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(bare->xcb)).data;
    bare->root = screen->root;
    bare->width = screen->width_in_pixels;
    bare->height = screen->height_in_pixels;
    bare->to_width = LONG_EDGE;
    bare->to_height = (bare->height * LONG_EDGE + bare->width / 2) / bare->width;
    size_t bytes = (size_t)bare->width * (size_t)bare->height * 4;
    open_segment(bare, bytes);
    bare->scaled = malloc(bytes);
    bare->former = malloc(bytes);
    bare->jpeg_room = tjBufSize(bare->width, bare->height, TJSAMP_420);
    bare->jpeg = malloc(bare->jpeg_room);
    bare->compressor = tjInitCompress();
    bare->deflate = libdeflate_alloc_compressor(1);
    bare->rgb = malloc(bytes);
    bare->deflated = malloc(bytes);
    bare->scaler = floor_scaler_new(bare->width, bare->height, bare->to_width, bare->to_height);
    if (screen->root_depth != 24 || !bare->scaler)
        die("only for screens of 24 bits a little larger than 1568 pixels, with AVX2");
}

static double get(Floor *bare, int x, int y, int width, int height)
{
    double start = now_ms();
    xcb_shm_get_image_cookie_t cookie =
        xcb_shm_get_image(bare->xcb, bare->root, (int16_t)x, (int16_t)y, (uint16_t)width,
                          (uint16_t)height, ~0u, XCB_IMAGE_FORMAT_Z_PIXMAP, bare->segment, 0);
    xcb_shm_get_image_reply_t *reply = xcb_shm_get_image_reply(bare->xcb, cookie, NULL);
    if (!reply)
        die("the X server does not give its picture");
    free(reply);
    return now_ms() - start;
}

static double scale(Floor *bare)
{
    double start = now_ms();
    floor_scaler_run(bare->scaler, bare->pixels, bare->scaled);
    return now_ms() - start;
}

static double encode(Floor *bare, const uint8_t *pixels, int width, int height,
                     unsigned long *ret_bytes)
{
    double start = now_ms();
    *ret_bytes = bare->jpeg_room;
    if (tjCompress2(bare->compressor, pixels, width, 0, height, TJPF_BGRX, &bare->jpeg, ret_bytes,
                    TJSAMP_420, QUALITY, TJFLAG_NOREALLOC) != 0)
        die(tjGetErrorStr2(bare->compressor));
    return now_ms() - start;
}

static void run_fullscreen(Floor *bare)
{
    unsigned long bytes;
    double start = now_ms();
    double got = get(bare, 0, 0, bare->width, bare->height), scaled = scale(bare);
    double encoded = encode(bare, bare->scaled, bare->to_width, bare->to_height, &bytes);
    printf("{\"job\": \"fullscreen\", \"ms\": %.4f, \"get\": %.4f, \"scale\": %.4f, "
           "\"encode\": %.4f, \"bytes\": %lu}\n",
           now_ms() - start, got, scaled, encoded, bytes);
}

static void run_region(Floor *bare)
{
    unsigned long bytes;
    int x = bare->width >= 1100 ? 700 : (bare->width - 400) / 2;
    int y = bare->height >= 600 ? 300 : (bare->height - 300) / 2;
    double start = now_ms();
    double got = get(bare, x, y, 400, 300);
    double encoded = encode(bare, bare->pixels, 400, 300, &bytes);
    printf("{\"job\": \"region\", \"ms\": %.4f, \"get\": %.4f, \"encode\": %.4f, \"bytes\": %lu}\n",
           now_ms() - start, got, encoded, bytes);
}

static void run_unchanged(Floor *bare)
{
    size_t bytes = (size_t)bare->width * (size_t)bare->height * 4;
    double start = now_ms();
    double got = get(bare, 0, 0, bare->width, bare->height), before = now_ms();
    int same = memcmp(bare->pixels, bare->former, bytes) == 0;
    double end = now_ms();
    printf("{\"job\": \"unchanged\", \"ms\": %.4f, \"get\": %.4f, \"compare\": %.4f, "
           "\"same\": %s}\n",
           end - start, got, end - before, same ? "true" : "false");
    memcpy(bare->former, bare->pixels, bytes);
}

static double pack_rgb(Floor *bare)
{
    double start = now_ms();
    uint8_t *to = bare->rgb;
    for (int y = 0; y < bare->height; y++) {
        const uint8_t *from = bare->pixels + (size_t)y * (size_t)bare->width * 4;
        *to++ = 0; /* this row has no filter */
        for (int x = 0; x < bare->width; x++, to += 3, from += 4) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
        }
    }
    return now_ms() - start;
}

static void run_png(Floor *bare)
{
    size_t raw = (1 + 3 * (size_t)bare->width) * (size_t)bare->height;
    double start = now_ms();
    double got = get(bare, 0, 0, bare->width, bare->height), packed = pack_rgb(bare);
    double before = now_ms();
    size_t bytes = libdeflate_zlib_compress(bare->deflate, bare->rgb, raw, bare->deflated, raw);
    double end = now_ms();
    printf("{\"job\": \"png\", \"ms\": %.4f, \"get\": %.4f, \"pack\": %.4f, "
           "\"deflate\": %.4f, \"bytes\": %zu}\n",
           end - start, got, packed, end - before, bytes);
}

static void run(Floor *bare, const char *job)
{
    if (strcmp(job, "fullscreen") == 0)
        run_fullscreen(bare);
    else if (strcmp(job, "region") == 0)
        run_region(bare);
    else if (strcmp(job, "unchanged") == 0)
        run_unchanged(bare);
    else if (strcmp(job, "png") == 0)
        run_png(bare);
    else
        printf("{\"error\": \"jobs are fullscreen, region, unchanged, png\"}\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    Floor bare = {0};
    open_floor(&bare);
    int rounds = argc == 3 && strcmp(argv[1], "--rounds") == 0 ? atoi(argv[2]) : 0;
    for (int i = 0; i < rounds; i++) {
        run(&bare, "fullscreen");
        run(&bare, "region");
        run(&bare, "unchanged");
        run(&bare, "png");
    }
    char line[64];
    while (!rounds && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        run(&bare, line);
    }
    return 0;
}
