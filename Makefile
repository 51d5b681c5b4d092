# The front of the house: everything that is done here is meson's and the scripts' work.
.PHONY: build run test attack bench soak fuzz tsan ocr-truth locate-truth catalogue reference contract lint format clean

# The program alone: tests and measuring programs are built where they are run.
build:
	@scripts/install build
	@[ -f build/build.ninja ] || meson setup build -Dtests=false
	@ninja -C build

run:
	@scripts/install build run
	@$(MAKE) --no-print-directory build
	@scripts/run

test:
	@scripts/install build run test lint
	@/usr/bin/python3 scripts/test.py

# What a hostile program, agent or web client tries, as root and as an ordinary user, against the program that users run.
ATTACKS ?= tests/attack tests/e2e/test_walls.py tests/e2e/test_terminal_walls.py tests/e2e/test_owner.py tests/e2e/test_grants.py \
    tests/e2e/test_http_hostile.py tests/e2e/test_http_descriptors.py tests/e2e/test_taint.py tests/e2e/test_browser_policy.py

attack:
	@scripts/install build run test
	@[ -f build-attack/build.ninja ] || meson setup build-attack
	@ninja -C build-attack
	@HF_LONG=1 HANDFAST=$(CURDIR)/build-attack/handfast /usr/bin/python3 -m pytest -q -p no:cacheprovider $(ATTACKS)

bench:
	@scripts/install build run bench
	@bench/install
	@bench/run
	@BUILD=build-release bench/stop --check

soak:
	@scripts/install build run bench
	@bench/soak
	@bench/soak-shell
	@bench/soak-pages

# How long each target is fuzzed, in seconds.
FUZZ_SECONDS ?= 60

fuzz:
	@scripts/install build test
	@[ -f build-fuzz/build.ninja ] || CC=clang meson setup build-fuzz -Dfuzz=true -Db_lundef=false \
	    -Db_sanitize=address,undefined -Dc_args=-fsanitize=fuzzer-no-link
	@ninja -C build-fuzz
	@for target in build-fuzz/tests/fuzz/fuzz-*; do [ -x $$target ] && [ -f $$target ] || continue; \
	    name=$${target##*/fuzz-}; mkdir -p build-fuzz/corpus/$$name; echo "fuzzing $$name"; \
	    $$target -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=2048 build-fuzz/corpus/$$name \
	        tests/fuzz/seeds/$$name || exit 1; done

# The same end-to-end tests with ThreadSanitizer: what the desk and the hand do on many threads.
TSAN_TESTS ?= tests/e2e

tsan:
	@scripts/install build run test
	@[ -f build-tsan/build.ninja ] || meson setup build-tsan -Db_sanitize=thread -Db_lundef=false
	@ninja -C build-tsan
	@HANDFAST=$$PWD/build-tsan/handfast /usr/bin/python3 -m pytest -q -p no:cacheprovider $(TSAN_TESTS)

# How well text is read on screens of which every word is known: docs/ocr.md. OCR_TRUTH may say --set tune, --count 12, --misses 20.
OCR_TRUTH ?= --check

ocr-truth:
	@scripts/install build run test
	@[ -f build-release/build.ninja ] || meson setup build-release --buildtype=release
	@ninja -C build-release tests/ocr/read-pictures
	@/usr/bin/python3 tests/ocr/truth.py build-release $(OCR_TRUTH)

# How often confident answers to descriptions are right on real programs, which say where their elements are: docs/locating.md.
# LOCATE_TRUTH may say --set NAME, --only PROGRAM, --check-truth.
LOCATE_TRUTH ?= --check --totals

locate-truth:
	@scripts/install build run test catalogue locate
	@[ -f build-release/build.ninja ] || meson setup build-release --buildtype=release
	@ninja -C build-release handfast
	@HANDFAST=$(CURDIR)/build-release/handfast /usr/bin/python3 tests/locate/run.py $(LOCATE_TRUTH)

# Every action on every kind of program, witnessed by the program itself; writes docs/catalogue.md.
catalogue:
	@scripts/install build run test catalogue
	@$(MAKE) --no-print-directory build
	@/usr/bin/python3 tests/catalogue/run.py

reference: build
	@/usr/bin/python3 scripts/make-reference.py build/handfast

# Takes a snapshot of what callers may rely on, when its version was raised enough (docs/contract.md).
contract: build
	@/usr/bin/python3 scripts/contract.py build/handfast --write

lint:
	@scripts/install build lint
	@[ -f build/build.ninja ] || meson setup build -Dtests=false
	@scripts/lint

format:
	@git ls-files 'src/*.[ch]' 'tests/*.[ch]' 'bench/*.[ch]' | xargs clang-format -i

clean:
	@rm -rf build build-release build-test build-tsan build-fuzz
