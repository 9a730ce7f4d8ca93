# The doors of this repository: each target sets up what it needs (tools/setup), builds with CMake's
# presets, prints one line a step, and keeps long output in build/*.log.
#
#   make          the program, build/release/tare
#   make demo     the main job on examples/acme: load, then the report
#   make test     all tests
#   make oracle   the program against the oracle on 2,000 random worlds (WORLDS), and their features
#   make synth-million  a made world of a million bill lines against its truth
#   make validate-focus  exports against the FOCUS validator, which it fetches; with TARE_SHARED_DATA also real ones
#   make bench    against DuckDB, polars and pandas on ten million lines (BENCH_LINES, BENCH_ROUNDS, BENCH_ONLY)
#   make bench-bills  a provider's export of 5 GB (BENCH_BYTES), CSV and Parquet, against DuckDB copying it
#   make install  into PREFIX (/usr/local)
#   make format   apply clang-format to our sources
#   make crash    500 killed loads, and a failure of every call that writes
#   make fuzz-long  each fuzzer for an hour
#   make mutation  faults put into the ledger of a copy, each of which a test must notice (MUTANTS: of that name)
#   make tidy     clang-tidy over src/, only what changed since it last passed

.DEFAULT_GOAL := build
.PHONY: build demo test bench bench-bills oracle crash fuzz-long mutation install format tidy setup-build setup-test setup-bench clean
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
RELEASE := build/release
WORLDS ?= 2000
BENCH_LINES ?= 10000000
BENCH_ROUNDS ?= 3
BENCH_ONLY ?=
BENCH_BYTES ?= 5e9
MUTANTS ?=
QUIETLY := tools/quietly

setup-build:
	@tools/setup build

setup-test:
	@tools/setup test

setup-bench:
	@tools/setup bench

build: setup-build
	@$(QUIETLY) configure build/configure.log cmake --preset release
	@$(QUIETLY) "build $(RELEASE)/tare" build/build.log cmake --build --preset release --target tare

# In a copy, so that the store it makes does not land in the working tree.
demo: build
	@rm -rf build/demo && mkdir -p build/demo && cp -R examples/acme build/demo/acme && rm -rf build/demo/acme/.tare
	@cd build/demo/acme && $(CURDIR)/$(QUIETLY) "load examples/acme" ../load.log ../../release/tare load
	@echo
	@cd build/demo/acme && ../../release/tare report

test: setup-test
	@$(QUIETLY) configure build/configure.log cmake --preset release -DTARE_TESTS=ON
	@$(QUIETLY) "build with tests" build/build.log cmake --build --preset release
	@$(QUIETLY) test build/test.log ctest --preset release -j "$$(nproc)" --output-junit test.xml
	@grep 'tests passed' build/test.log; grep -A 99 'did not run:' build/test.log || true

.PHONY: synth-million
synth-million: build
	@python3 -B tests/synth/compare_truth.py --tare $(RELEASE)/tare million

.PHONY: validate-focus
validate-focus: build
	@python3 -B tools/validate_focus $(RELEASE)/tare

oracle: build setup-test
	@python3 -B tests/oracle/compare.py --tare $(RELEASE)/tare --coverage 0 $(WORLDS)
	@python3 -B tests/oracle/properties.py --tare $(RELEASE)/tare 0 $$(($(WORLDS) / 20))

crash: build
	@python3 -B tests/crash/interrupted_loads.py --tare $(RELEASE)/tare --kills 300 --faults 1000

fuzz-long: setup-test
	@tools/fuzz 3600

mutation: setup-test
	@python3 -B tests/mutation/mutation.py --only '$(MUTANTS)'

bench: setup-bench build
	@.deps/bench/bin/python -B bench/run.py --tare $(RELEASE)/tare --lines $(BENCH_LINES) \
	  --rounds $(BENCH_ROUNDS) $(if $(BENCH_ONLY),--only '$(BENCH_ONLY)')

bench-bills: setup-bench build
	@.deps/bench/bin/python -B bench/bills.py --tare $(RELEASE)/tare --bytes $(BENCH_BYTES) --rounds $(BENCH_ROUNDS)

install: build
	@cmake --install $(RELEASE) --prefix "$(PREFIX)" >build/install.log && echo "installed into $(PREFIX)"

format: setup-test
	@git ls-files -co --exclude-standard -- '*.cc' '*.h' | xargs -r clang-format-19 -i

tidy: setup-test
	@$(QUIETLY) "configure build/alone" build/configure.log cmake --preset alone
	@tools/tidy build/alone

clean:
	rm -rf build
