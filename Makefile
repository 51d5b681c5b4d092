# The front of the house: everything that is done here is meson's and the scripts' work.
.PHONY: build run test bench soak reference lint format clean

build:
	@scripts/install build
	@[ -f build/build.ninja ] || meson setup build
	@ninja -C build

run:
	@scripts/install build run
	@$(MAKE) --no-print-directory build
	@scripts/run

test:
	@scripts/install build run test
	@/usr/bin/python3 scripts/test.py

bench:
	@scripts/install build run bench
	@bench/install
	@bench/run

soak:
	@scripts/install build run bench
	@bench/soak

reference: build
	@/usr/bin/python3 scripts/make-reference.py build/handfast

lint:
	@scripts/install build
	@[ -f build/build.ninja ] || meson setup build
	@scripts/lint

format:
	@git ls-files 'src/*.[ch]' 'tests/*.[ch]' 'bench/*.[ch]' | xargs clang-format -i

clean:
	@rm -rf build build-release build-test
